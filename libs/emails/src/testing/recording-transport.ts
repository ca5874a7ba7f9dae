import { text } from 'node:stream/consumers';
import type { BuiltMessage, EmailTransport, RecipientOutcome } from '../emails/ports/email-transport.js';

/** A message that a `RecordingTransport` was given. */
export interface RecordedMessage extends Omit<BuiltMessage, 'raw' | 'raw7Bit'> {
  /** The whole message in RFC 5322 form. */
  raw: string;
}

/** How the next hop of a test behaves. */
export interface RecordingTransportOptions {
  /** Default: `final`, so that what is accepted counts as delivered. */
  hop?: EmailTransport['hop'];
  /** What becomes of a recipient. Default: `accepted`, for everybody. */
  outcome?: (address: string) => RecipientOutcome['outcome'];
}

const CLOSED = { outcome: 'deferred', reply: { text: 'The transport is closed.' } } as const;

/** Sends nothing and keeps everything: for tests that run the whole module, with its database and queue. */
export class RecordingTransport implements EmailTransport {
  readonly hop: EmailTransport['hop'];
  /** In the order they came. A message that is tried again is here once for each attempt. */
  readonly messages: RecordedMessage[] = [];
  private readonly outcome: (address: string) => RecipientOutcome['outcome'];
  private isClosed = false;

  constructor({ hop = 'final', outcome = () => 'accepted' }: RecordingTransportOptions = {}) {
    this.hop = hop;
    this.outcome = outcome;
  }

  async send({ raw, raw7Bit: _, ...message }: BuiltMessage): Promise<RecipientOutcome[]> {
    if (this.isClosed) return message.recipients.map((address) => ({ address, ...CLOSED }));
    this.messages.push({ ...message, raw: Buffer.isBuffer(raw) ? raw.toString() : await text(raw()) });
    return message.recipients.map((address) => {
      const outcome = this.outcome(address);
      return { address, outcome, reply: { text: `${outcome} by the test` } };
    });
  }

  /** The messages that this address got. */
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
