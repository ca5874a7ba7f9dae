import { storableText } from '../../../shared/text/storable-text.js';
import { inTime } from '../../../shared/work/in-time.js';
import type { Observation } from '../../observation/observation.js';
import type { EmailTransport, RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { KnownNextHop } from '../../ports/next-hop-status.js';
import { unreachable } from '../../transports/outcomes.js';
import type { FailureLog } from '../failure-log.js';
import { grantsSlots } from '../transport-slots.js';
import { HopProbe } from './hop-probe.js';
import { RecentAttempts } from './recent-attempts.js';
import type { QuotableEmail } from './sender-limits.js';
import { SenderPauses } from './sender-pauses.js';
import type { WaitingEmails } from './waiting-emails.js';

/** A hop that answered within this time is not down, even if it refuses one more connection. Milliseconds. */
const RECENT = 1_000;
/** Time limit for a transport without slots to report whether its hop is down. Milliseconds. */
const PATIENCE = 10_000;
/** The service is closing the connection (RFC 5321 section 3.8). */
const CLOSING = 421;
const MAX_NAME = 200;

/** A next hop that is down. */
export interface DownHop {
  name: string;
  /** Why no connection could be opened. */
  reply: SmtpReply;
}

/** Name of a hop, in the log and in the rows of emails that wait for it. */
export function nameOfHop({ nextHop }: Pick<EmailTransport, 'nextHop'>): string {
  return storableText(nextHop ?? 'the next hop', MAX_NAME);
}

/**
 * State of the next hop, as far as this process knows. It is down when no connection to it can be opened. Then this
 * process asks it once a second, opens no other connection, and makes its mail wait. Its answer releases all waiting
 * emails.
 */
export class NextHop {
  private state: DownHop | undefined;
  private heardAt = Number.NEGATIVE_INFINITY;
  private stopped = false;
  /** Resolves when the last outage is over. */
  private isBack = Promise.resolve();
  private notifyBack = () => {};
  /** The question in progress. */
  private asking: Promise<void> | undefined;
  private downSince: Date | null = null;
  /** The last error of the last outage. */
  private error: string | null = null;
  private acceptedAt: Date | null = null;
  private readonly recent = new RecentAttempts();
  private readonly senderPauses: SenderPauses;
  private readonly probe: HopProbe;
  /** Called when the hop is found down. */
  private readonly whenDown = new Set<() => void>();

  constructor(
    readonly name: string,
    private readonly transport: EmailTransport,
    private readonly waiting: Pick<WaitingEmails, 'release'>,
    private readonly failures: Pick<FailureLog, 'unreached' | 'isAway' | 'reached'>,
    private readonly observation: Pick<Observation, 'nextHop'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.senderPauses = new SenderPauses(now);
    this.probe = new HopProbe(
      (signal) => transport.verify(signal),
      () => this.answered(),
      (error) => this.stillDown(error),
    );
  }

  /** Undefined while it is not down. */
  get down(): DownHop | undefined {
    return this.state;
  }

  /** Milliseconds until mail of this account is tried again after a limit of the sender; 0 if none was reached. */
  pauseOf(accountId: string): number {
    return this.senderPauses.left(accountId);
  }

  /** Its state for operators. */
  get known(): KnownNextHop {
    const { name, downSince, error, acceptedAt: lastSuccess } = this;
    return { name, downSince: this.state ? downSince : null, error, lastSuccess, ...this.recent.read() };
  }

  /** Notes the outcomes of an attempt at one email. */
  attempted(email: QuotableEmail & { accountId: string }, outcomes: readonly RecipientOutcome[]): void {
    this.recent.add(outcomes);
    // Behind a final hop stand servers of recipients, each with its own limits.
    if (this.transport.hop === 'relay') this.senderPauses.attempted(email, outcomes);
    if (outcomes.some(({ outcome }) => outcome === 'accepted')) this.acceptedAt = new Date();
    if (outcomes.some(isAnswer)) this.answered();
  }

  /** Notes that no connection could be opened for an email, and why. */
  unreached(emailId: string, error: unknown): void {
    const reply = replyOf(error);
    this.failures.unreached(emailId, reply);
    if (this.state || this.stopped || this.now() - this.heardAt < RECENT) return;
    this.state = { name: this.name, reply };
    this.downSince = new Date();
    this.error = wordsOf(reply);
    this.isBack = new Promise((resolve) => {
      this.notifyBack = resolve;
    });
    this.observation.nextHop({ nextHop: this.name, isUp: false });
    this.probe.start();
    for (const call of [...this.whenDown]) call();
  }

  /** Calls once when the hop is found down, unless the returned function is called before. */
  onDown(call: () => void): () => void {
    const once = () => {
      this.whenDown.delete(once);
      call();
    };
    this.whenDown.add(once);
    return () => void this.whenDown.delete(once);
  }

  /**
   * True if an attempt may have found no connection. A transport without slots does not report that; the sign is that
   * no recipient got a reply.
   */
  isInDoubt(outcomes: readonly RecipientOutcome[]): boolean {
    if (this.heardAt > this.now() - RECENT || grantsSlots(this.transport)) return false;
    return outcomes.length > 0 && outcomes.every(isUnanswered);
  }

  /** Asks the hop, once for all simultaneous callers. False: it is down. A refused message alone does not mean that. */
  async answers(emailId: string): Promise<boolean> {
    this.asking ??= this.verifyInTime().finally(() => {
      this.asking = undefined;
    });
    try {
      await this.asking;
      this.answered();
    } catch (error) {
      this.unreached(emailId, error);
    }
    return this.state === undefined;
  }

  /** Releases emails that wait for the hop, unless it is down. */
  async goOn(): Promise<void> {
    await this.waiting.release(() => !this.state && !this.stopped);
  }

  /** Resolves when the hop is back or nothing is asked any more; after `patience` milliseconds at the latest. */
  async backWithin(patience: number): Promise<void> {
    if (this.state) await inTime(this.isBack, patience, () => {});
  }

  /** Asks nothing any more. */
  stop(): void {
    this.stopped = true;
    this.probe.stop();
    this.notifyBack();
  }

  private stillDown(error: unknown): void {
    if (!this.state) return;
    if (error !== undefined) this.error = wordsOf(replyOf(error));
    this.failures.isAway(this.state.reply);
  }

  private async verifyInTime(): Promise<void> {
    await inTime(this.transport.verify(), PATIENCE, () => {
      throw Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' });
    });
  }

  private answered(): void {
    this.heardAt = this.now();
    if (!this.state) return;
    this.state = undefined;
    this.probe.stop();
    this.notifyBack();
    this.failures.reached();
    this.observation.nextHop({ nextHop: this.name, isUp: true });
    // If PostgreSQL fails now, the next sweep releases the emails.
    this.goOn().catch(() => {});
  }
}

function replyOf(error: unknown): SmtpReply {
  return unreachable([''], error)[0]?.reply ?? { text: '' };
}

/** Code and words of a reply, or the kind of error and its words. */
function wordsOf({ text, error }: SmtpReply): string {
  return error === undefined || text.includes(error) ? text : `${error}: ${text}`;
}

/** True if the hop answered: it accepted, or refused and goes on to serve. */
export function isAnswer({ outcome, reply }: RecipientOutcome): boolean {
  return outcome === 'accepted' || (reply.code !== undefined && reply.code !== CLOSING);
}

function isUnanswered({ outcome, reply }: RecipientOutcome): boolean {
  return outcome === 'deferred' && reply.code === undefined;
}
