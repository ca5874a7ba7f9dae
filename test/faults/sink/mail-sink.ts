import type { Conversation, Stage, Step } from '../../support/servers/smtp/smtp-script.js';
import { SmtpServer } from '../../support/servers/smtp/smtp-server.js';
import type { Journal } from '../journal.js';

/** Stages at which nobody knows which email is meant. */
const OF_CONNECTION: readonly Stage[] = ['greeting', 'ehlo', 'quit'];

/** Short, so that one byte a second does not take minutes. */
const USUAL: Readonly<Record<Stage, string>> = {
  greeting: '220 s',
  ehlo: '250 s',
  mail: '250 m',
  rcpt: '250 r',
  data: '354 d',
  dot: '250 taken',
  rset: '250 o',
  quit: '221 q',
};

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
  private turnedAway: string | undefined;
  private readonly met = new Set<Step>();
  /** `Message-ID`s of all that was taken. */
  readonly taken = new Set<string>();
  /** Envelopes that came right behind the final dot of another message. */
  envelopesAhead = 0;
  /** Stages at which a client did not wait for an answer, and had to (RFC 2920). */
  readonly hasty = new Set<Stage>();

  private constructor(private readonly server: SmtpServer) {}

  /** @param pipelining whether it offers PIPELINING (RFC 2920) */
  static async start(journal: Journal<Copy>, pipelining: boolean): Promise<MailSink> {
    const server = await SmtpServer.start({
      usual: pipelining ? { ...USUAL, ehlo: `250-s\r\n250 PIPELINING` } : USUAL,
      next: (stage, now) => sink.next(stage, now),
      take: ({ envelope, raw }) => {
        const messageId = messageIdOf(raw);
        sink.taken.add(messageId);
        return journal.append({ at: Date.now(), messageId, recipients: envelope.to });
      },
      ahead: (stage, allowed) => {
        if (!allowed) sink.hasty.add(stage);
        else if (stage === 'dot') sink.envelopesAhead += 1;
      },
    });
    const sink: MailSink = new MailSink(server);
    return sink;
  }

  get port(): number {
    return this.server.port;
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
    return (this.plans.get(address) ?? []).every((step) => this.met.has(step));
  }

  /** Deviations of connections that nobody has met yet. */
  get connectionsPlanned(): number {
    return this.connectionPlan.length;
  }

  /** Takes back what is planned for connections. */
  forgetConnections(): void {
    this.connectionPlan.length = 0;
  }

  /** From now on every connection is greeted with this line and closed; with none, all are served again. */
  turnAway(line?: string): void {
    this.turnedAway = line;
  }

  /** Closes the connections that nobody uses now, as a server does that has waited long enough. */
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
