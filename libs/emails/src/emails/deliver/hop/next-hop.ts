import { storableText } from '../../../shared/text/storable-text.js';
import { inTime } from '../../../shared/work/in-time.js';
import type { Observation } from '../../observation/observation.js';
import type { EmailTransport, RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { unreachable } from '../../transports/outcomes.js';
import type { FailureLog } from '../failure-log.js';
import { grantsPlaces } from '../places.js';
import { HopProbe } from './hop-probe.js';
import type { WaitingEmails } from './waiting-emails.js';

/** A hop that said something in this time is not down, though it may take no connection more. Milliseconds. */
const RECENT = 1_000;
/** How long a transport without places may take to tell whether its hop is down. Milliseconds. */
const PATIENCE = 10_000;
/** The service is closing the connection (RFC 5321 section 3.8). */
const CLOSING = 421;
const MAX_NAME = 200;

/** A next hop that is down. */
export interface DownHop {
  name: string;
  /** Why no connection could be had. */
  reply: SmtpReply;
}

/** What a hop is called, in the log and where emails wait for it. */
export function nameOfHop({ nextHop }: Pick<EmailTransport, 'nextHop'>): string {
  return storableText(nextHop ?? 'the next hop', MAX_NAME);
}

/**
 * Whether the next hop is there, as far as this process knows. It is down when no connection to it can be had; then it is
 * asked once a second, nothing else connects, and mail for it waits. When it answers, all that waits goes on.
 */
export class NextHop {
  private state: DownHop | undefined;
  private heardAt = Number.NEGATIVE_INFINITY;
  private stopped = false;
  /** Resolves when the hop that was found down last is so no more. */
  private isBack = Promise.resolve();
  private tellBack = () => {};
  /** The question that is under way. */
  private asking: Promise<void> | undefined;
  readonly name: string;
  private readonly probe: HopProbe;

  constructor(
    private readonly transport: EmailTransport,
    private readonly waiting: Pick<WaitingEmails, 'release'>,
    private readonly failures: Pick<FailureLog, 'unreached' | 'isAway' | 'reached'>,
    private readonly observation: Pick<Observation, 'nextHop'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.name = nameOfHop(transport);
    this.probe = new HopProbe(
      (signal) => transport.verify(signal),
      () => this.answered(),
      () => this.state && this.failures.isAway(this.state.reply),
    );
  }

  /** Undefined while it is not down. */
  get down(): DownHop | undefined {
    return this.state;
  }

  /** An attempt ended so. */
  attempted(outcomes: readonly RecipientOutcome[]): void {
    if (outcomes.some(isAnswer)) this.answered();
  }

  /** No connection was to be had for an email, for this reason. */
  unreached(emailId: string, error: unknown): void {
    const [{ reply } = { reply: { text: '' } }] = unreachable([''], error);
    this.failures.unreached(emailId, reply);
    if (this.state || this.stopped || this.now() - this.heardAt < RECENT) return;
    this.state = { name: this.name, reply };
    this.isBack = new Promise((resolve) => {
      this.tellBack = resolve;
    });
    this.observation.nextHop({ nextHop: this.name, isUp: false });
    this.probe.start();
  }

  /**
   * Whether an attempt may have found no connection, which a transport without places does not say: no recipient was told
   * anything by anybody.
   */
  isInDoubt(outcomes: readonly RecipientOutcome[]): boolean {
    if (this.heardAt > this.now() - RECENT || grantsPlaces(this.transport)) return false;
    return outcomes.length > 0 && outcomes.every(isUnanswered);
  }

  /** Asks it, once for all who ask at the same time. A message that it does not like is no reason to call it down. */
  async ask(emailId: string): Promise<void> {
    this.asking ??= this.verifyInTime().finally(() => {
      this.asking = undefined;
    });
    try {
      await this.asking;
      this.answered();
    } catch (error) {
      this.unreached(emailId, error);
    }
  }

  /** What waits for it goes on, unless it is down. */
  async goOn(): Promise<void> {
    await this.waiting.release(() => !this.state && !this.stopped);
  }

  /** Resolves when it is back, or nothing is asked any more; after so many milliseconds at the latest. */
  async backWithin(patience: number): Promise<void> {
    if (this.state) await inTime(this.isBack, patience, () => {});
  }

  /** Nothing is asked any more. */
  stop(): void {
    this.stopped = true;
    this.probe.stop();
    this.tellBack();
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
    this.tellBack();
    this.failures.reached();
    this.observation.nextHop({ nextHop: this.name, isUp: true });
    // What PostgreSQL does not do now is done with the next sweep.
    this.goOn().catch(() => {});
  }
}

function isAnswer({ outcome, reply }: RecipientOutcome): boolean {
  return outcome === 'accepted' || (reply.code !== undefined && reply.code !== CLOSING);
}

function isUnanswered({ outcome, reply }: RecipientOutcome): boolean {
  return outcome === 'deferred' && reply.code === undefined;
}
