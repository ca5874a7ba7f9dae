import { both, group, isObject, list, oneOf, type Rule, type Rules, text } from '../../shared/options/rules.js';

/** Options of the SMTP listener for reports. */
export interface ListenerOptions {
  /** Port; 0 for a free one. */
  port: number;

  /** Address to listen on. Default: all addresses. */
  host?: string;

  /** Name in the greeting. Default: the bounce domain. */
  name?: string;

  /** Key and certificate in PEM, for STARTTLS. Default: no STARTTLS. */
  tls?: { key: string; cert: string };

  /**
   * Addresses to which mailbox providers send feedback reports (RFC 5965), such as `fbl@example.com`. Needs the package
   * `mailauth`. Default: none.
   */
  feedbackAddresses?: readonly string[];

  /**
   * Domains that may send feedback reports: a report counts if one of them signed it (DKIM, RFC 6376). `anyone`: no
   * signature is asked, for a server that strangers cannot reach. Default: none, and no feedback report counts.
   */
  feedbackSenders?: readonly string[] | 'anyone';
}

const port: Rule = (path, value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535
    ? []
    : [`\`${path}\` must be a port from 1 to 65535, or 0 for a free one.`];

const address: Rule = (path, value) =>
  typeof value === 'string' && /^[^\s<>@]+@[^\s<>@]+$/.test(value) ? [] : [`\`${path}\` must be an address.`];

const senders: Rule = (path, value) =>
  value === 'anyone'
    ? []
    : Array.isArray(value)
      ? list(text)(path, value)
      : oneOf('anyone', 'a list of domains')(path, value);

const LISTENER_RULES: Rules<ListenerOptions> = {
  port,
  host: text,
  name: text,
  tls: group<NonNullable<ListenerOptions['tls']>>({ key: text, cert: text }),
  feedbackAddresses: list(address),
  feedbackSenders: senders,
};

/** `port` is required. */
export const listenerRule: Rule = both(group<ListenerOptions>(LISTENER_RULES), (path, value) =>
  isObject(value) && value.port === undefined ? [`\`${path}.port\` is missing.`] : [],
);
