import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { until } from '../basics/wait-for.js';
import { type SinkMessage, type SmtpEnvelope, SmtpSession, type SmtpVerdicts, type Verdict } from './smtp-session.js';

export type { SinkMessage, SmtpEnvelope, Verdict } from './smtp-session.js';

type Answer = Verdict | undefined | Promise<Verdict | undefined>;

export interface SmtpSinkOptions {
  /** Offer SMTPUTF8 (RFC 6531). Default: true. */
  smtpUtf8?: boolean;
  /** Largest message in bytes that EHLO names (RFC 1870); not enforced. Default: 100,000,000. */
  size?: number;
  /** Ask for these credentials (AUTH PLAIN). Default: none. */
  credentials?: { user: string; pass: string };
}

/**
 * An SMTP server that keeps what it is given, with a verdict of the test's choice at each stage.
 * A hook that gives undefined, or is not set, lets the usual happen.
 */
export class SmtpSink {
  /** Messages that were answered with a 2xx, in their order. */
  readonly messages: SinkMessage[] = [];
  /** All messages whose final dot came, also those refused, dropped or left without an answer. */
  readonly offered: SinkMessage[] = [];
  /** Connections taken since the start. */
  connections = 0;

  /** On connection, instead of the greeting. */
  onConnect?: () => Answer;
  onMail?: (from: string) => Answer;
  /** `count`: how often this address has been named since the start, this time included. */
  onRcpt?: (address: string, count: number) => Answer;
  /** At DATA, instead of 354. */
  onData?: (envelope: SmtpEnvelope) => Answer;
  /** After the final dot. `count`: how many messages came so far, this one included. */
  onMessage?: (message: SinkMessage, count: number) => Answer;

  private readonly rcptCounts = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private readonly verdicts: SmtpVerdicts;

  private constructor(options: SmtpSinkOptions) {
    this.server = createServer((socket) => this.connected(socket));
    this.verdicts = {
      extensions: [
        '8BITMIME',
        ...(options.smtpUtf8 === false ? [] : ['SMTPUTF8']),
        `SIZE ${options.size ?? 100_000_000}`,
      ],
      credentials: options.credentials,
      connect: async () => this.onConnect?.(),
      mail: async (from) => this.onMail?.(from),
      rcpt: async (address) => {
        const count = this.countRcpt(address);
        return this.onRcpt?.(address, count);
      },
      data: async (envelope) => this.onData?.(envelope),
      message: (message) => this.take(message),
    };
  }

  /** Starts a sink on a free port of 127.0.0.1; it is closed after the test file. */
  static async start(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
    const sink = new SmtpSink(options);
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server, 'listening');
    afterFile(() => sink.close());
    return sink;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** For `SMTP_URL`, without credentials. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Waits for that many accepted messages and gives all there are. */
  waitFor(count: number, timeout?: number): Promise<SinkMessage[]>;
  /** Waits for an accepted message of this kind and gives the first. */
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

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private connected(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    // A hook that throws must not pass for a network that fails.
    new SmtpSession(socket, this.verdicts).run().catch((error: unknown) => {
      socket.destroy();
      process.nextTick(() => {
        throw error;
      });
    });
  }

  private countRcpt(address: string): number {
    const count = (this.rcptCounts.get(address) ?? 0) + 1;
    this.rcptCounts.set(address, count);
    return count;
  }

  private async take(message: SinkMessage): Promise<Verdict> {
    const count = this.offered.push(message);
    const verdict = (await this.onMessage?.(message, count)) ?? '250 2.0.0 taken';
    if (verdict.startsWith('2')) this.messages.push(message);
    return verdict;
  }
}
