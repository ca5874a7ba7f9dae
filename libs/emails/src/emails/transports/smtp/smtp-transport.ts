import { Logger } from '@nestjs/common';
import type {
  BuiltMessage,
  ConnectingTransport,
  Destination,
  RecipientOutcome,
  TransportSlot,
} from '../../ports/email-transport.js';
import { unreachable } from '../outcomes.js';
import { SmtpConnectionPool } from './smtp-connection-pool.js';
import { transportClosed } from './smtp-fault.js';
import { SmtpSlot } from './smtp-slot.js';
import { readSmtpOptions, type SmtpTransportOptions } from './smtp-transport.options.js';
import type { TlsRule } from './smtp-url.js';

/**
 * Sends over SMTP (RFC 5321), with pipelining if the server allows it (RFC 2920), and distinguishes "not sent" from
 * "may have been sent".
 *
 * @example
 * ```ts
 * new SmtpTransport({ url: 'smtp://user:pass@smtp.example.com:587' }); // with STARTTLS
 * new SmtpTransport({ url: 'smtp://localhost:2525', hop: 'final' });
 * ```
 */
export class SmtpTransport implements ConnectingTransport {
  readonly hop: 'final' | 'relay';
  /** Host and port. */
  readonly nextHop: string;
  private readonly pool: SmtpConnectionPool;

  /** @throws Error that names every wrong option, here or in the URL, and the right values */
  constructor(options: SmtpTransportOptions) {
    const { hop, nextHop, connection, pool, mayRevealLogin } = readSmtpOptions(options);
    this.hop = hop;
    this.nextHop = nextHop;
    if (mayRevealLogin) warnOf(nextHop, connection.tlsRule);
    this.pool = new SmtpConnectionPool(connection, pool);
  }

  async acquireSlot(
    patience?: number,
    destination?: string,
    speed?: Destination['speed'],
    turn = 0,
  ): Promise<TransportSlot | undefined> {
    const to = destination === undefined ? undefined : { name: destination, speed };
    const session = await this.pool.acquire(patience, to, turn);
    return session && new SmtpSlot(this.pool, session, destination);
  }

  async send(message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    try {
      const slot = await this.slot();
      try {
        const first = await slot.send(message);
        if (first !== 'stale') return first;
        await slot.reopen();
        const second = await slot.send(message);
        if (second !== 'stale') return second;
        throw new Error('The next hop closed the connection.');
      } finally {
        slot.release();
      }
    } catch (error) {
      return unreachable(message.recipients, error);
    }
  }

  /** With a signal it also tests whether mail is accepted without a login. */
  async verify(signal?: AbortSignal): Promise<void> {
    if (signal) return this.pool.probe(signal);
    (await this.slot()).release();
  }

  private async slot(): Promise<TransportSlot> {
    const slot = await this.acquireSlot();
    if (!slot) throw transportClosed();
    return slot;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

function warnOf(nextHop: string, tls: TlsRule): void {
  const when =
    tls === 'none' ? 'without TLS' : 'without TLS when the server does not offer it, or an attacker hides the offer';
  new Logger('SmtpTransport').warn(`The login for ${nextHop} is sent ${when} (\`tls=${tls}\` in its URL).`);
}
