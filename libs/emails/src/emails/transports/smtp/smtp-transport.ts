import { Logger } from '@nestjs/common';
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { LONGEST_TIMER, milliseconds, whole } from '../../../shared/options/number-rules.js';
import {
  gotten,
  isObject,
  oneOf,
  problemsOf,
  type Rule,
  type Rules,
  refuse,
  required,
  text,
} from '../../../shared/options/rules.js';
import type {
  BuiltMessage,
  ConnectingTransport,
  Destination,
  RecipientOutcome,
  TransportPlace,
} from '../../ports/email-transport.js';
import { unreachable } from '../outcomes.js';
import { SmtpConnectionPool } from './smtp-connection-pool.js';
import { SmtpPlace } from './smtp-place.js';
import {
  isSmtpUrl,
  mayRevealPassword,
  problemsOfTls,
  readSmtpUrl,
  type SmtpUrl,
  type TlsRule,
  tlsRuleOf,
} from './smtp-url.js';

/** In milliseconds, documented at the options they are the defaults of. */
const TIMEOUTS = {
  connectionTimeout: 30_000,
  greetingTimeout: 300_000,
  socketTimeout: 600_000,
  messageTimeout: 3_600_000,
};

/** Durations are in milliseconds. */
export interface SmtpTransportOptions {
  /**
   * `smtp://user:pass@host:port` or `smtps://…` (TLS from the start). Its query may name the numbers below, `name` and
   * `tls.…`: `?socketTimeout=60000&tls.servername=mx.example`. An option given here wins.
   *
   * `?tls=` says whether an `smtp://` connection has TLS: `required` (the default with a password, except to loopback
   * addresses), `optional` (by STARTTLS when the server offers it, else in clear, the password too: then the start
   * warns) or `none`.
   */
  url: string;
  /** Whether the server is the recipients' own (`final`) or passes mail on (`relay`). Default: `relay`. */
  hop?: 'final' | 'relay';
  /** Connections open at the same time, at most: to a relay that says that it gets too much they are fewer. Default: 20. */
  maxConnections?: number;
  /** Messages sent over one connection before a new one is opened. Default: 100. */
  maxMessagesPerConnection?: number;
  /** After which an unused connection is closed. Default: 10,000. */
  idleTimeout?: number;
  /** Until the connection stands. Default: 30,000. */
  connectionTimeout?: number;
  /** Until the greeting comes. Default: 5 minutes (RFC 5321 section 4.5.3.2.1). */
  greetingTimeout?: number;
  /**
   * Until a whole reply is there, and without progress of what is sent. Default: 10 minutes (RFC 5321 section 4.5.3.2.6,
   * the longest of them).
   */
  socketTimeout?: number;
  /** Until a message that was begun is answered, all its replies and its content together. Default: 1 hour. */
  messageTimeout?: number;
  /** Name said in EHLO. Default: this machine's host name. */
  name?: string;
  tls?: SMTPConnectionOptions['tls'];
}

const URL_EXAMPLE = '`smtp://user:password@host:587`, or `smtps://…` for TLS from the start';

const url: Rule = (path, value) =>
  isSmtpUrl(value)
    ? []
    : [`\`${path}\` must be like ${URL_EXAMPLE} (got ${typeof value === 'string' ? 'another text' : gotten(value)}).`];

/** To nodemailer, a timeout of 0 is one of its own choice. */
const RULES: Rules<SmtpTransportOptions> = {
  url: required(url, `it is the server that takes the mail: ${URL_EXAMPLE}`),
  hop: oneOf('final', 'relay'),
  maxConnections: whole(1, 10_000),
  maxMessagesPerConnection: whole(1, 1_000_000_000),
  idleTimeout: milliseconds(1, LONGEST_TIMER),
  connectionTimeout: milliseconds(1, LONGEST_TIMER),
  greetingTimeout: milliseconds(1, LONGEST_TIMER),
  socketTimeout: milliseconds(1, LONGEST_TIMER),
  messageTimeout: milliseconds(1, LONGEST_TIMER),
  name: text,
  tls: (path, value) => (isObject(value) ? [] : [`\`${path}\` must be an object (got ${gotten(value)}).`]),
};

/** What nodemailer makes of the rest of the URL. */
const OF_NODEMAILER = [
  ...['host', 'port', 'secure', 'servername', 'localAddress'],
  ...['socketCloseTimeout', 'maxResponseSize', 'dnsTimeout', 'lmtp', 'logger', 'debug', 'transactionLog', 'authMethod'],
  ...['allowInternalNetworkInterfaces', 'component', 'pool', 'service', 'connection'],
];

/** By the names of nodemailer. */
const TLS_OF_NODEMAILER: Readonly<Record<string, string>> = {
  requireTLS: 'is said by `tls=required` in the URL',
  ignoreTLS: 'is said by `tls=none` in the URL',
  opportunisticTLS: 'is said by `tls=optional` in the URL',
};

/** Sends over SMTP (RFC 5321), without waiting where the server allows (RFC 2920), and tells "not sent" from "maybe sent". */
export class SmtpTransport implements ConnectingTransport {
  readonly hop: 'final' | 'relay';
  /** Host and port. */
  readonly nextHop: string;
  private readonly pool: SmtpConnectionPool;

  /** @throws Error that names every option that is wrong, here or in the URL, and says what would be right */
  constructor(options: SmtpTransportOptions) {
    if (options !== undefined && !isObject(options))
      throw new Error(`SmtpTransport needs an object: \`{ url }\`, ${URL_EXAMPLE}.`);
    const given = withoutAbsent(options);
    const read: SmtpUrl = isSmtpUrl(given.url) ? readSmtpUrl(given.url) : { auth: undefined, rest: {}, tls: undefined };
    const { auth, rest } = read;
    const fromQuery = without(OF_NODEMAILER, rest);
    const problems = problemsOf(RULES, { ...fromQuery, ...given }, '', (name) => TLS_OF_NODEMAILER[name]);
    refuse('SmtpTransport', [...problems, ...problemsOfTls(read)]);
    const { hop, url: _, ...all } = { ...TIMEOUTS, ...rest, ...given };
    const { maxConnections, maxMessagesPerConnection, idleTimeout, ...connection } = all;
    this.hop = hop ?? 'relay';
    const most = maxConnections ?? 20;
    this.nextHop = nextHopOf(rest);
    const tls = tlsRuleOf(read);
    if (mayRevealPassword(read)) warnOf(this.nextHop, tls);
    this.pool = new SmtpConnectionPool(
      {
        ...connection,
        requireTLS: tls === 'required',
        ignoreTLS: tls === 'none',
        auth: auth && { credentials: auth, user: auth.user, pass: auth.pass },
      },
      {
        connections: { least: this.hop === 'relay' ? 1 : most, most },
        maxMessages: maxMessagesPerConnection ?? 100,
        idleTimeout: idleTimeout ?? 10_000,
      },
    );
  }

  async takePlace(
    patience?: number,
    destination?: string,
    speed?: Destination['speed'],
  ): Promise<TransportPlace | undefined> {
    const to = destination === undefined ? undefined : { name: destination, speed };
    const session = await this.pool.take(patience, to);
    return session && new SmtpPlace(this.pool, session, destination);
  }

  async send(message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    try {
      const place = await this.place();
      try {
        const first = await place.send(message);
        if (first !== 'stale') return first;
        await place.reopen();
        const second = await place.send(message);
        if (second !== 'stale') return second;
        throw new Error('The next hop closed the connection.');
      } finally {
        place.release();
      }
    } catch (error) {
      return unreachable(message.recipients, error);
    }
  }

  /** With a signal it is asked too whether mail is taken without a login. */
  async verify(signal?: AbortSignal): Promise<void> {
    if (signal) return this.pool.probe(signal);
    (await this.place()).release();
  }

  private async place(): Promise<TransportPlace> {
    const place = await this.takePlace();
    if (!place) throw new Error('The transport is closed.');
    return place;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

function warnOf(nextHop: string, tls: TlsRule): void {
  const when =
    tls === 'none' ? 'without TLS' : 'without TLS when the server does not offer it, or somebody hides that it does';
  new Logger('SmtpTransport').warn(`The password for ${nextHop} is sent ${when} (\`tls=${tls}\` in its URL).`);
}

function nextHopOf({ host, port }: { host?: string | undefined; port?: number | undefined }): string {
  return [host, port].filter((part) => part !== undefined).join(':');
}

/** What is undefined was not given. */
function withoutAbsent<T extends object>(options: T | undefined): T {
  const entries = Object.entries(options ?? {});
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null)) as T;
}

function without(names: readonly string[], options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}
