import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Journal } from '../journal.js';
import type { Stage, Step } from './script.js';
import { SinkSession } from './sink-session.js';

/** Stages at which nobody knows which email is meant. */
const OF_CONNECTION: readonly Stage[] = ['greeting', 'ehlo', 'quit'];

/** A message that the sink took, written and synced before it said so. */
export interface Copy {
  /** Milliseconds since 1970. */
  at: number;
  messageId: string;
  recipients: readonly string[];
}

/** An SMTP server that remembers what it took, and deviates from good manners as planned. */
export class MailSink {
  private readonly plans = new Map<string, Step[]>();
  private readonly connectionPlan: Step[] = [];
  /** `Message-ID`s of all that was taken. */
  readonly taken = new Set<string>();
  private readonly sessions = new Map<Socket, SinkSession>();

  private constructor(
    private readonly server: Server,
    private readonly journal: Journal<Copy>,
  ) {
    server.on('connection', (socket) => this.connected(socket));
  }

  static async start(journal: Journal<Copy>): Promise<MailSink> {
    const server = createServer({ noDelay: true });
    const sink = new MailSink(server, journal);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Deviations for one sender (an email) or one recipient, in the order in which they are to come. */
  plan(address: string, steps: readonly Step[]): void {
    this.plans.set(address, [...(this.plans.get(address) ?? []), ...steps]);
  }

  /** Deviations at the greeting, EHLO or QUIT of the next connections that get there, whoever opens them. */
  planConnections(steps: readonly Step[]): void {
    this.connectionPlan.push(...steps);
  }

  /** True when all that was planned for it has come. */
  isThrough(address: string): boolean {
    return (this.plans.get(address)?.length ?? 0) === 0;
  }

  /** Deviations of connections that nobody has met yet. */
  get connectionsPlanned(): number {
    return this.connectionPlan.length;
  }

  /** Takes back what is planned for connections. */
  forgetConnections(): void {
    this.connectionPlan.length = 0;
  }

  /** Closes the connections that nobody uses now, as a server does that has waited long enough. */
  closeIdle(): void {
    for (const [socket, session] of this.sessions) if (session.idle) socket.end();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sessions.keys()) socket.destroy();
    await closed;
  }

  private connected(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const session = new SinkSession(socket, {
      next: (stage, names) => this.next(stage, names),
      take: (recipients, message) => {
        const messageId = messageIdOf(message);
        this.taken.add(messageId);
        return this.journal.append({ at: Date.now(), messageId, recipients });
      },
    });
    this.sessions.set(socket, session);
    socket.once('close', () => this.sessions.delete(socket));
    // A sink that is broken must not pass for a network that fails.
    session.run().catch((error: unknown) => {
      process.nextTick(() => {
        throw error;
      });
    });
  }

  private next(stage: Stage, names: readonly string[]): Step | undefined {
    if (OF_CONNECTION.includes(stage)) return takeIf(this.connectionPlan, stage);
    for (const name of names) {
      const step = takeIf(this.plans.get(name) ?? [], stage);
      if (step) return step;
    }
    return undefined;
  }
}

function takeIf(steps: Step[], stage: Stage): Step | undefined {
  return steps[0]?.stage === stage ? steps.shift() : undefined;
}

function messageIdOf(message: Buffer): string {
  return /^message-id:\s*(<[^>]*>)/im.exec(message.toString('latin1', 0, 16_384))?.[1] ?? '';
}
