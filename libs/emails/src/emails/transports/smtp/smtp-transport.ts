import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import {
  checkNumbers,
  LONGEST_TIMER,
  milliseconds,
  type NumberPath,
  type NumberRule,
  whole,
} from '../../../shared/options/number-rules.js';
import type {
  BuiltMessage,
  ConnectingTransport,
  RecipientOutcome,
  TransportPlace,
} from '../../ports/email-transport.js';
import { unreachable } from '../outcomes.js';
import { SmtpConnectionPool } from './smtp-connection-pool.js';
import { SmtpPlace } from './smtp-place.js';

/** In milliseconds, documented at the options they are the defaults of. */
const TIMEOUTS = { connectionTimeout: 30_000, greetingTimeout: 300_000, socketTimeout: 600_000 };

/** Durations are in milliseconds. */
export interface SmtpTransportOptions {
  /**
   * `smtp://user:pass@host:port` (STARTTLS when offered) or `smtps://…` (TLS from the start). Its query may name the
   * numbers below, `name` and `tls.…`: `?socketTimeout=60000&tls.servername=mx.example`. An option given here wins.
   */
  url: string;
  /** Whether the server is the recipients' own (`final`) or passes mail on (`relay`). Default: `relay`. */
  hop?: 'final' | 'relay';
  /** Connections open at the same time. Default: 20. */
  maxConnections?: number;
  /** Messages sent over one connection before a new one is opened. Default: 100. */
  maxMessagesPerConnection?: number;
  /** After which an unused connection is closed. Default: 10,000. */
  idleTimeout?: number;
  /** Until the connection stands. Default: 30,000. */
  connectionTimeout?: number;
  /** Until the greeting comes. Default: 5 minutes (RFC 5321 section 4.5.3.2.1). */
  greetingTimeout?: number;
  /** Without a byte from the server. Default: 10 minutes (RFC 5321 section 4.5.3.2.6, the longest of them). */
  socketTimeout?: number;
  /** Name said in EHLO. Default: this machine's host name. */
  name?: string;
  tls?: SMTPConnectionOptions['tls'];
}

/** Every number among the options. To nodemailer, a timeout of 0 is one of its own choice. */
export const SMTP_NUMBERS = {
  maxConnections: whole(1, 10_000),
  maxMessagesPerConnection: whole(1, 1_000_000_000),
  idleTimeout: milliseconds(1, LONGEST_TIMER),
  connectionTimeout: milliseconds(1, LONGEST_TIMER),
  greetingTimeout: milliseconds(1, LONGEST_TIMER),
  socketTimeout: milliseconds(1, LONGEST_TIMER),
} as const satisfies Record<NumberPath<Omit<SmtpTransportOptions, 'tls'>>, NumberRule>;

/** Sends over SMTP (RFC 5321) through nodemailer's connection, and tells "not sent" from "maybe sent". */
export class SmtpTransport implements ConnectingTransport {
  readonly hop: 'final' | 'relay';
  private readonly pool: SmtpConnectionPool;

  /** @throws Error that names the number that is wrong, here or in the URL, and says what would be right */
  constructor(options: SmtpTransportOptions) {
    const { url, hop, ...given } = options;
    const { auth, ...fromUrl } = parseConnectionUrl(url);
    const all: Omit<SmtpTransportOptions, 'url' | 'hop'> = { ...TIMEOUTS, ...fromUrl, ...withoutAbsent(given) };
    checkNumbers('SmtpTransport', SMTP_NUMBERS, all);
    const { maxConnections, maxMessagesPerConnection, idleTimeout, ...connection } = all;
    this.hop = hop ?? 'relay';
    this.pool = new SmtpConnectionPool(
      { ...connection, auth: auth && { credentials: auth, user: auth.user, pass: auth.pass } },
      {
        maxConnections: maxConnections ?? 20,
        maxMessages: maxMessagesPerConnection ?? 100,
        idleTimeout: idleTimeout ?? 10_000,
      },
    );
  }

  async takePlace(patience?: number): Promise<TransportPlace | undefined> {
    const session = await this.pool.take(patience);
    return session && new SmtpPlace(this.pool, session);
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

  async verify(): Promise<void> {
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

/** What is undefined was not given. */
function withoutAbsent<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null)) as T;
}
