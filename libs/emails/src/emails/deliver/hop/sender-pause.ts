import { domainOf } from '../../../shared/mailbox/domain-of.js';
import { judgeReply } from '../../../shared/replies/judge-reply.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';

/** Pause after the first refusal. A limit per second ends sooner than one per day. Milliseconds. */
const SHORTEST = 2_000;
/** Milliseconds. */
const LONGEST = 900_000;

/** Time in which recipients at two domains meet the limit of one sender. Milliseconds. */
const TOGETHER = 60_000;

/** Words of a host behind the next hop, which any recipient may run: they must not stop the mail of others. */
const QUOTED = /\bsaid:|\bremote (?:server|host)\b/i;

/** True if a reply refuses all mail of the sender for a time, such as `454 Throttling failure`. */
export function isSenderLimit(reply: SmtpReply): boolean {
  if (reply.code === undefined || reply.code < 400 || QUOTED.test(reply.text)) return false;
  return judgeReply(reply).isSenderLimit === true;
}

/** True for a reply to RCPT (RFC 5321 section 3.3): a relay may answer with words of the recipient's own server. */
export function isOfRecipient({ stage }: SmtpReply): boolean {
  return stage === 'rcpt';
}

/**
 * The pause of all mail at a limit of the sender, as far as this process knows. It doubles with each refusal after a
 * pause, up to 15 minutes, and begins again after an accepted message. Refusals of recipients count once two of different
 * domains met them within a minute, and nobody was accepted in between: one domain alone may speak for itself.
 */
export class SenderPause {
  private until = Number.NEGATIVE_INFINITY;
  private length = 0;
  /** The last refused recipient since one was accepted. */
  private met: { domain: string; at: number } | undefined;

  constructor(private readonly now: () => number) {}

  /** Milliseconds left; 0 while mail may be sent. */
  get left(): number {
    return Math.max(0, this.until - this.now());
  }

  /** Notes the outcomes of an attempt. */
  attempted(outcomes: readonly RecipientOutcome[]): void {
    const limited = outcomes.filter(({ outcome, reply }) => outcome !== 'accepted' && isSenderLimit(reply));
    const isAccepted = outcomes.some(({ outcome }) => outcome === 'accepted');
    if (isAccepted) this.met = undefined;
    if (!this.isReached(limited, isAccepted)) {
      if (isAccepted && this.left === 0) this.length = 0;
      return;
    }
    // Messages that were under way at the same time meet the same limit.
    if (this.left > 0) return;
    this.length = Math.min(LONGEST, Math.max(SHORTEST, this.length * 2));
    const asked = Math.max(...limited.map(({ retryAfter }) => retryAfter ?? 0));
    this.until = this.now() + Math.max(this.length, Math.min(asked, LONGEST));
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
