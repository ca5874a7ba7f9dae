import { afterFile } from '../../basics/cleanup.js';
import { PATIENCE } from '../../basics/patience.mjs';
import { until } from '../../basics/wait-for.js';
import type { Conversation, Deviation, SinkMessage, SmtpEnvelope, SmtpScript, Stage } from './smtp-script.js';
import { SmtpServer } from './smtp-server.js';

export type { SinkMessage, SmtpEnvelope } from './smtp-script.js';

/** A reply line such as `451 4.7.1 later`, or: close the connection silently, or stop replying. */
export type Verdict = string | 'drop' | 'hang';

type Answer = Verdict | undefined | Promise<Verdict | undefined>;

export interface SmtpSinkOptions {
  /** Offer SMTPUTF8 (RFC 6531). Default: true. */
  smtpUtf8?: boolean;
  /** Largest message in bytes that EHLO names (RFC 1870); not enforced. Default: 100,000,000. */
  size?: number;
  /** Ask for these credentials (AUTH PLAIN). Default: none. */
  credentials?: { user: string; pass: string };
  /** Default: any free port. */
  port?: number;
}

/**
 * An SMTP server that stores received messages, with replies chosen by the test at each stage. Without a hook, or with
 * undefined from it, the default reply is sent.
 */
export class SmtpSink {
  /** Messages that were answered with a 2xx, in order. */
  readonly messages: SinkMessage[] = [];
  /** All messages with a final dot, including refused, dropped or unanswered ones. */
  readonly offered: SinkMessage[] = [];
  /** Accepted connections since the start. */
  connections = 0;

  /** On connection, in place of the greeting. */
  onConnect?: () => Answer;
  onMail?: (from: string) => Answer;
  /** `count`: number of times this address was named since the start, including this one. */
  onRcpt?: (address: string, count: number) => Answer;
  /** At DATA, instead of 354. */
  onData?: (envelope: SmtpEnvelope) => Answer;
  /** After the final dot. `count`: number of messages so far, including this one. */
  onMessage?: (message: SinkMessage, count: number) => Answer;

  private readonly rcptCounts = new Map<string, number>();

  private constructor(private readonly server: SmtpServer) {}

  /** Starts a sink on 127.0.0.1; it is closed after the test file. */
  static async start(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
    const { smtpUtf8 = true, size = 100_000_000, credentials, port } = options;
    const script: SmtpScript = {
      extensions: ['8BITMIME', ...(smtpUtf8 ? ['SMTPUTF8'] : []), `SIZE ${size}`],
      credentials,
      next: async (stage, now) => deviationOf(await sink.verdict(stage, now), stage),
      take: (message) => void sink.messages.push(message),
    };
    const sink: SmtpSink = new SmtpSink(await SmtpServer.start(script, port));
    afterFile(() => sink.close());
    return sink;
  }

  get port(): number {
    return this.server.port;
  }

  /** For `SMTP_URL`, without credentials. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Waits for this many accepted messages and returns all. */
  waitFor(count: number, timeout?: number): Promise<SinkMessage[]>;
  /** Waits for an accepted message of this kind and returns the first. */
  waitFor(predicate: (message: SinkMessage) => boolean, timeout?: number): Promise<SinkMessage>;
  async waitFor(
    wanted: number | ((message: SinkMessage) => boolean),
    timeout = PATIENCE,
  ): Promise<SinkMessage | SinkMessage[]> {
    const look = () =>
      typeof wanted === 'function' ? this.messages.find(wanted) : this.messages.length >= wanted && [...this.messages];
    try {
      return await until(look, { timeout, interval: 10 });
    } catch (error) {
      const recipients = this.messages.map(({ envelope }) => envelope.to.join(', ')).join('; ');
      const what = typeof wanted === 'function' ? 'A matching message' : `${wanted} messages`;
      const got = `${this.messages.length} accepted (to: ${recipients || 'nobody'}), ${this.offered.length} offered`;
      throw new Error(`${what} did not come within ${timeout} ms: ${got}.`, { cause: error });
    }
  }

  /** Forgets messages, counts and hooks; connections stay. */
  reset(): void {
    this.messages.length = 0;
    this.offered.length = 0;
    this.connections = 0;
    this.rcptCounts.clear();
    for (const hook of ['onConnect', 'onMail', 'onRcpt', 'onData', 'onMessage'] as const) delete this[hook];
  }

  /** Ends all connections at once. New ones are accepted. */
  cut(): void {
    this.server.cut();
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private async verdict(stage: Stage, { sender, recipient, envelope, message }: Conversation) {
    if (stage === 'greeting') {
      this.connections += 1;
      return this.onConnect?.();
    }
    if (stage === 'mail') return this.onMail?.(sender);
    if (recipient !== undefined) {
      const count = this.countRcpt(recipient);
      return this.onRcpt?.(recipient, count);
    }
    if (envelope) return this.onData?.(envelope);
    if (message) {
      const count = this.offered.push(message);
      return this.onMessage?.(message, count);
    }
    return undefined;
  }

  private countRcpt(address: string): number {
    const count = (this.rcptCounts.get(address) ?? 0) + 1;
    this.rcptCounts.set(address, count);
    return count;
  }
}

/** Only a message answered with 2xx is accepted; after an invalid greeting the connection ends. */
function deviationOf(verdict: Verdict | undefined, stage: Stage): Deviation | undefined {
  if (verdict === undefined) return undefined;
  const welcome = verdict.startsWith('2');
  if (verdict === 'drop') return { action: { kind: 'drop' }, taken: false };
  if (verdict === 'hang') return { action: { kind: 'silence' }, taken: false };
  return { action: { kind: 'say', line: verdict, last: stage === 'greeting' && !welcome }, taken: welcome };
}
