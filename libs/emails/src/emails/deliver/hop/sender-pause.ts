import { domainOf } from '../../../shared/mailbox/domain-of.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import { isOfRecipient, isSenderLimit } from './sender-limits.js';

/** Pause after the first refusal. A limit per second ends sooner than one per day. Milliseconds. */
const SHORTEST = 2_000;
/** Milliseconds. */
const LONGEST = 900_000;

/** Time in which two domains, or two accounts, meet the limit of one sender. Milliseconds. */
export const TOGETHER = 60_000;

/**
 * A pause at a limit of the sender, as far as this process knows. It doubles with each refusal after a
 * pause, up to 15 minutes, and begins again after an accepted message. Refusals of recipients count once two of different
 * domains met them within a minute, and nobody was accepted in between: one domain alone may speak for itself.
 */
export class SenderPause {
  private until = Number.NEGATIVE_INFINITY;
  private length = 0;
  /** The last refused recipient since one was accepted. */
  private met: { domain: string; at: number } | undefined;

  /** @param longest milliseconds */
  constructor(
    private readonly now: () => number,
    private readonly longest = LONGEST,
  ) {}

  /** Milliseconds left; 0 while mail may be sent. */
  get left(): number {
    return Math.max(0, this.until - this.now());
  }

  /** True if it began, and no message was accepted since its end. */
  get hasBegun(): boolean {
    return this.length > 0;
  }

  /** True if nothing is known that could begin a pause, or make one longer. */
  get isIdle(): boolean {
    return !this.hasBegun && this.met === undefined;
  }

  /** Notes the outcomes of an attempt. True if it met a limit. */
  attempted(outcomes: readonly RecipientOutcome[]): boolean {
    const limited = outcomes.filter(({ outcome, reply }) => outcome !== 'accepted' && isSenderLimit(reply));
    const isAccepted = outcomes.some(({ outcome }) => outcome === 'accepted');
    if (isAccepted) this.met = undefined;
    if (!this.isReached(limited, isAccepted)) {
      if (isAccepted) this.accepted();
      return false;
    }
    this.begin(Math.max(...limited.map(({ retryAfter }) => retryAfter ?? 0)));
    return true;
  }

  /** Messages that were under way at the same time meet the same limit. @param asked wait that the next hop asked for. Milliseconds */
  begin(asked = 0): void {
    if (this.left > 0) return;
    this.length = Math.min(this.longest, Math.max(SHORTEST, this.length * 2));
    this.until = this.now() + Math.max(this.length, Math.min(asked, this.longest));
  }

  /** Notes an accepted message. */
  accepted(): void {
    if (this.left === 0) this.length = 0;
  }

  private isReached(limited: readonly RecipientOutcome[], isAccepted: boolean): boolean {
    if (limited.some(({ reply }) => !isOfRecipient(reply))) return true;
    if (isAccepted) return false;
    const now = this.now();
    // Each of them is noted.
    return limited.map(({ address }) => this.isSecond(ownerOf(address), now)).some(Boolean);
  }

  private isSecond(domain: string, now: number): boolean {
    const isSecond = this.met !== undefined && this.met.domain !== domain && now - this.met.at <= TOGETHER;
    this.met = { domain, at: now };
    return isSecond;
  }
}

/** The last two labels of the domain: who has these has all names below. */
function ownerOf(address: string): string {
  return domainOf(address).toLowerCase().split('.').slice(-2).join('.');
}
