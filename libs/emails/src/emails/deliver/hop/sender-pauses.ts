import type { RecipientOutcome } from '../../ports/email-transport.js';
import { isLimitForOthers, type QuotableEmail } from './sender-limits.js';
import { SenderPause, TOGETHER } from './sender-pause.js';

/** Longest pause of all mail: its limit may be one of a few accounts. Milliseconds. */
const LONGEST_OF_ALL = 60_000;

/**
 * The pauses of mail at limits of the sender. A limit pauses the mail of the account that met it. It pauses all mail once
 * a second account met it within a minute, and nothing was accepted in between: one account may make a relay say anything.
 * An account that meets its limit again says nothing about others: only further accounts make the pause of all longer.
 */
export class SenderPauses {
  private readonly ofAll: SenderPause;
  private readonly ofAccounts = new Map<string, SenderPause>();
  /** The last account that met a limit since a message was accepted. */
  private met: { accountId: string; at: number } | undefined;

  constructor(private readonly now: () => number) {
    this.ofAll = new SenderPause(now, LONGEST_OF_ALL);
  }

  /** Milliseconds left for mail of this account; 0 while it may be sent. */
  left(accountId: string): number {
    return Math.max(this.ofAll.left, this.ofAccounts.get(accountId)?.left ?? 0);
  }

  /** Notes the outcomes of an attempt at one email. */
  attempted(email: QuotableEmail & { accountId: string }, outcomes: readonly RecipientOutcome[]): void {
    const { accountId } = email;
    if (outcomes.some(({ outcome }) => outcome === 'accepted')) {
      this.met = undefined;
      this.ofAll.accepted();
    }
    const known = this.ofAccounts.get(accountId);
    const pause = known ?? new SenderPause(this.now);
    const isKnown = pause.hasBegun;
    const isReached = pause.attempted(outcomes) && !isKnown;
    if (pause.isIdle) this.ofAccounts.delete(accountId);
    else if (!known) this.ofAccounts.set(accountId, pause);
    if (isReached && isLimitForOthers(email, outcomes)) this.reached(accountId);
  }

  private reached(accountId: string): void {
    const { met } = this;
    this.met = { accountId, at: this.now() };
    const isSecond = met !== undefined && met.accountId !== accountId && this.now() - met.at <= TOGETHER;
    if (isSecond) this.ofAll.begin();
  }
}
