import type { EmailTransport } from './email-transport.js';

/** One of several transports. */
export interface NamedTransport {
  /**
   * Its name in attempts, events, metrics and the log: 1 to 100 printable ASCII characters, different from that of any other.
   * Default: the transport's `nextHop`, such as host and port.
   */
  name?: string | undefined;

  transport: EmailTransport;

  /**
   * Its share of the mail, compared with that of the others: from 0 to 1,000. Default: 0. Where any transport that may
   * take an email has one, the email is divided by them, and a transport without one gets what the others cannot take. Where
   * none has one, the first that can take the email gets it.
   */
  weight?: number | undefined;

  /** The mail that it may take. Default: any. */
  for?: MailRule | undefined;

  /** Limit of messages at the same time in one process, from 1 to 10,000. Default: none but the transport's own. */
  maxConnections?: number | undefined;

  /**
   * Limit of recipients in a second, of all processes together, above 0 and up to 100,000. A message with several recipients
   * counts for each. Mail beyond it waits, or takes another transport. Default: none.
   */
  maxPerSecond?: number | undefined;

  /**
   * Limit of recipients in a day (UTC), of all processes together: a number, or numbers by the day from which they hold
   * (`{ '2026-12-01': 50, '2026-12-02': 100 }`), so that a new address can be warmed up. Days before the first have its number.
   * Default: none.
   */
  maxPerDay?: number | Readonly<Record<string, number>> | undefined;
}

/** Mail that a transport may take: an email must meet each condition that is given. */
export interface MailRule {
  /** Domains of the address in `from`; `*.example.com` means those below. Letter case does not matter. Default: any. */
  fromDomains?: readonly string[] | undefined;
  /** Domains of recipients, written in the same way. Each recipient of a message must be at one of them. Default: any. */
  recipientDomains?: readonly string[] | undefined;
  /** Names of tags, or names and values (`name=value`), of which the email must have one. Default: any. */
  tags?: readonly string[] | undefined;
  /** Accounts. Default: any. */
  accounts?: readonly string[] | undefined;
}
