import type { RecipientOutcome } from '../../ports/email-transport.js';
import type { SenderLimits } from './sender-limits.js';
import { SenderPause, TOGETHER } from './sender-pause.js';

/**
 * The pauses of mail at limits of the sender. A limit pauses the mail of the account that met it. It pauses all mail once
 * a second account met it within a minute, and nothing was accepted in between: one account may make a relay say anything.
 */
export class SenderPauses {
  private readonly ofAll: SenderPause;
  private readonly ofAccounts = new Map<string, SenderPause>();
  /** The last account that met a limit since a message was accepted. */
  private met: { accountId: string; at: number } | undefined;

  constructor(private readonly now: () => number) {
    this.ofAll = new SenderPause(now);
  }

  /** Milliseconds left for mail of this account; 0 while it may be sent. */
  left(accountId: string): number {
    return Math.max(this.ofAll.left, this.ofAccounts.get(accountId)?.left ?? 0);
  }

  /** Notes the outcomes of an attempt at one email. @param limits those of them that met a limit of the sender */
  attempted(accountId: string, outcomes: readonly RecipientOutcome[], limits: SenderLimits): void {
    const isAccepted = outcomes.some(({ outcome }) => outcome === 'accepted');
    if (isAccepted) {
      this.met = undefined;
      this.ofAll.accepted();
    }
    const pause = this.ofAccounts.get(accountId) ?? new SenderPause(this.now);
    const isReached = pause.attempted(outcomes, limits);
    if (limits.size > 0) this.ofAccounts.set(accountId, pause);
    else if (isAccepted && pause.left === 0) this.ofAccounts.delete(accountId);
    if (isReached) this.reached(accountId, Math.max(...limits.values()));
  }

  private reached(accountId: string, asked: number): void {
    const { met } = this;
    this.met = { accountId, at: this.now() };
    const isSecond = met !== undefined && met.accountId !== accountId && this.now() - met.at <= TOGETHER;
    if (isSecond) this.ofAll.begin(asked);
  }
}
