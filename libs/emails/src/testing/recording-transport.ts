import { text } from 'node:stream/consumers';
import type { BuiltMessage, EmailTransport, RecipientOutcome } from '../emails/ports/email-transport.js';

/** A message that a `RecordingTransport` was given. */
export interface RecordedMessage extends Omit<BuiltMessage, 'raw' | 'raw7Bit'> {
  /** The whole message in RFC 5322 form. */
  raw: string;
}

/** How the next hop of a test behaves. */
export interface RecordingTransportOptions {
  /** Default: `final`, so that accepted emails count as delivered. */
  hop?: EmailTransport['hop'];
  /** Outcome of a recipient. Default: `accepted`. */
  outcome?: (address: string) => RecipientOutcome['outcome'];
  /**
   * True if the next hop counts as reached with TLS. Without it a message that requires TLS is `deferred`, or `rejected`
   * if TLS is enforced. Default: true.
   */
  hasTls?: boolean;
}

const NO_TLS = { text: 'There is no TLS.', error: 'NO_TLS', reasonCode: 'tls_missing' } as const;
const CLOSED = { outcome: 'deferred', reply: { text: 'The transport is closed.' } } as const;

/**
 * Sends nothing and keeps everything: for tests that run the whole module, with its database and queue.
 *
 * @example
 * ```ts
 * const transport = new RecordingTransport({ outcome: (address) => (/^bounced/.test(address) ? 'rejected' : 'accepted') });
 * // … run the application with it, then:
 * transport.to('jane@example.com').map(({ raw }) => raw);
 * ```
 */
export class RecordingTransport implements EmailTransport {
  readonly hop: EmailTransport['hop'];
  /** In order of arrival, with one entry for each attempt. */
  readonly messages: RecordedMessage[] = [];
  private readonly outcome: (address: string) => RecipientOutcome['outcome'];
  private readonly hasTls: boolean;
  private isClosed = false;

  constructor({ hop = 'final', outcome = () => 'accepted', hasTls = true }: RecordingTransportOptions = {}) {
    this.hop = hop;
    this.outcome = outcome;
    this.hasTls = hasTls;
  }

  async send({ raw, raw7Bit: _, ...message }: BuiltMessage): Promise<RecipientOutcome[]> {
    if (this.isClosed) return message.recipients.map((address) => ({ address, ...CLOSED }));
    if (message.requireTls && !this.hasTls) {
      const outcome = message.requireTls === 'enforced' ? 'rejected' : 'deferred';
      return message.recipients.map((address) => ({ address, outcome, reply: NO_TLS }));
    }
    this.messages.push({ ...message, raw: Buffer.isBuffer(raw) ? raw.toString() : await text(raw()) });
    return message.recipients.map((address) => {
      const outcome = this.outcome(address);
      return { address, outcome, reply: { text: `${outcome} by the test` } };
    });
  }

  /** The messages to this address. */
  to(address: string): RecordedMessage[] {
    return this.messages.filter(({ recipients }) => recipients.includes(address));
  }

  /** Forgets the messages. */
  clear(): void {
    this.messages.length = 0;
  }

  async verify(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
