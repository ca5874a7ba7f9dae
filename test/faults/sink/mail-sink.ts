import type { Conversation, Deviation, Stage, Step } from '../../support/servers/smtp/smtp-script.js';
import { SmtpServer } from '../../support/servers/smtp/smtp-server.js';
import type { Journal } from '../journal.js';

/** Stages without an email. */
const OF_CONNECTION: readonly Stage[] = ['greeting', 'ehlo', 'auth', 'quit'];

/** Short, so that a reply of one byte a second does not take minutes. */
const USUAL: Readonly<Record<Stage, string>> = {
  greeting: '220 s',
  ehlo: '250 s',
  auth: '235 a',
  mail: '250 m',
  rcpt: '250 r',
  data: '354 d',
  dot: '250 taken',
  rset: '250 o',
  quit: '221 q',
};

/** A message that the sink accepted; it is written and synced before the reply. */
export interface Copy {
  /** Milliseconds since 1970. */
  at: number;
  messageId: string;
  recipients: readonly string[];
}

export interface SinkOptions {
  /** True if it offers PIPELINING (RFC 2920). */
  pipelining: boolean;
  /** It accepts mail after this login alone. Default: none. */
  login?: { user: string; pass: string };
  /** The `taken` of another sink, if they share it. */
  taken?: Set<string>;
}

/** The deviation of every client's conversation at a stage. */
export type FaultAt = (stage: Stage) => Deviation | undefined;

/** An SMTP server that records accepted messages, and deviates from the protocol as planned. */
export class MailSink {
  private readonly plans = new Map<string, Step[]>();
  private readonly connectionPlan: Step[] = [];
  private turnedAway: string | undefined;
  private fault: FaultAt | undefined;
  private readonly met = new Set<Step>();
  /** Number of messages that it accepted. */
  accepted = 0;
  /** Return path of the newest message to each recipient. */
  readonly returnPaths = new Map<string, string>();
  /** Envelopes that directly followed the final dot of another message. */
  envelopesAhead = 0;
  /** Stages at which a client did not wait for a required answer (RFC 2920). */
  readonly hasty = new Set<Stage>();

  private constructor(
    private readonly server: SmtpServer,
    /** `Message-ID`s of all accepted messages. */
    readonly taken: Set<string>,
  ) {}

  static async start(journal: Journal<Copy>, { pipelining, login, taken = new Set() }: SinkOptions): Promise<MailSink> {
    const offers = ['s', ...(pipelining ? ['PIPELINING'] : []), ...(login ? ['AUTH PLAIN'] : [])];
    const ehlo = offers.map((line, at) => `250${at === offers.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
    const server = await SmtpServer.start({
      usual: { ...USUAL, ehlo },
      credentials: login,
      next: (stage, now) => sink.next(stage, now),
      take: ({ envelope, raw }) => {
        const messageId = messageIdOf(raw);
        sink.taken.add(messageId);
        sink.accepted += 1;
        for (const recipient of envelope.to) sink.returnPaths.set(recipient, envelope.from);
        return journal.append({ at: Date.now(), messageId, recipients: envelope.to });
      },
      ahead: (stage, allowed) => {
        if (!allowed) sink.hasty.add(stage);
        else if (stage === 'dot') sink.envelopesAhead += 1;
      },
    });
    const sink: MailSink = new MailSink(server, taken);
    return sink;
  }

  get port(): number {
    return this.server.port;
  }

  /** Deviations for one sender (an email) or one recipient, in the order of their use. */
  plan(address: string, steps: readonly Step[]): void {
    this.plans.set(address, [...(this.plans.get(address) ?? []), ...steps]);
  }

  /** Deviations at the greeting, EHLO or QUIT of the next connections at that stage, from any client. */
  planConnections(steps: readonly Step[]): void {
    this.connectionPlan.push(...steps);
  }

  /** True when all its planned deviations have happened. */
  isThrough(address: string): boolean {
    return (this.plans.get(address) ?? []).every((step) => this.met.has(step));
  }

  /** Planned deviations of connections that have not happened yet. */
  get connectionsPlanned(): number {
    return this.connectionPlan.length;
  }

  /** Cancels the planned deviations of connections. */
  forgetConnections(): void {
    this.connectionPlan.length = 0;
  }

  /** From now on every connection is greeted with this line and closed; without a line, all are served again. */
  turnAway(line?: string): void {
    this.turnedAway = line;
  }

  /** A fault in every conversation from now on, also in open ones; without one, all are served again. */
  impose(fault?: FaultAt): void {
    this.fault = fault;
  }

  /** Closes idle connections, as a server does after a timeout. */
  closeIdle(): void {
    this.server.closeIdle();
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private next(stage: Stage, { sender, recipient }: Conversation): Step | undefined {
    if (stage === 'greeting' && this.turnedAway !== undefined) {
      return { stage, action: { kind: 'say', line: this.turnedAway, last: true } };
    }
    const fault = this.fault?.(stage);
    if (fault) return { stage, ...fault };
    if (OF_CONNECTION.includes(stage)) return this.takeIf(this.connectionPlan, stage);
    for (const name of [recipient ?? sender, sender]) {
      const step = this.takeIf(this.plans.get(name) ?? [], stage);
      if (step) return step;
    }
    return undefined;
  }

  private takeIf(steps: Step[], stage: Stage): Step | undefined {
    const [step] = steps;
    if (step?.stage !== stage) return undefined;
    if (step.lasting) this.met.add(step);
    else steps.shift();
    return step;
  }
}

function messageIdOf(message: Buffer): string {
  return /^message-id:\s*(<[^>]*>)/im.exec(message.toString('latin1', 0, 16_384))?.[1] ?? '';
}
