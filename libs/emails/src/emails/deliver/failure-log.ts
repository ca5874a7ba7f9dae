import { Logger } from '@nestjs/common';
import type { Observation } from '../observation/observation.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import type { ObservedFailure } from '../ports/emails-observer.js';

/** Between two warnings of the same reason, in milliseconds. */
const PAUSE = 300_000;
/** The same of a next hop that cannot be reached, so that nobody takes it for long to be up since it was last said to be. */
const PAUSE_OF_OUTAGES = 60_000;
/** Reasons that are remembered. Others are told to observers only. */
const MOST_REASONS = 100;
/** RFC 3463, at the beginning of a reply's text or after its code. */
const ENHANCED_STATUS = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?!\S)/;

interface Warned {
  /** When the next one may be. */
  until: number;
  /** Failures since. */
  more: number;
}

/**
 * Tells the host of deliveries that fail: its observers of each, its log of each reason once in five minutes, of a next hop
 * that cannot be reached once a minute, and once that it takes mail again. Neither an address nor the text of a reply is told.
 */
export class FailureLog {
  private readonly logger = new Logger('EmailDelivery');
  private readonly warned = new Map<string, Warned>();
  /** The log says that the next hop cannot be reached. */
  private isDown = false;

  /** @param nextHop what the next hop is called */
  constructor(
    private readonly nextHop: string,
    private readonly observation: Pick<Observation, 'failed'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** An attempt ended so. */
  attempted(emailId: string, outcomes: readonly RecipientOutcome[]): void {
    const failed = outcomes.filter(({ outcome }) => outcome !== 'accepted');
    if (failed.length === 0) this.reached();
    const reasons = new Map(failed.map(({ reply }) => [reasonOf(reply), kindOf(reply)]));
    for (const [reason, kind] of reasons) this.failed({ emailId, kind, reason });
  }

  /** There was no connection for an email. */
  unreached(emailId: string, reply: SmtpReply): void {
    this.failed({ emailId, kind: kindOf(reply), reason: reasonOf(reply) }, true);
  }

  /** An attempt failed, or there could be none. */
  failed(failure: ObservedFailure, isOutage = failure.kind === 'network'): void {
    this.observation.failed(failure);
    const text = this.textOf(failure);
    const earlier = this.warned.get(text);
    if (earlier && this.now() < earlier.until) earlier.more++;
    else this.warn(text, isOutage, earlier);
  }

  /** The next hop is still away. No email may have been told so since the log said that it took mail. */
  isAway(reply: SmtpReply): void {
    if (this.isDown) return;
    const text = this.textOf({ kind: kindOf(reply), reason: reasonOf(reply) });
    const earlier = this.warned.get(text);
    if (!earlier || this.now() >= earlier.until) this.warn(text, true, earlier);
  }

  /** The next hop takes mail. */
  reached(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.logger.log(`${this.nextHop} takes mail again.`);
  }

  private warn(text: string, isOutage: boolean, earlier: Warned | undefined): void {
    if (!earlier && this.isFull()) return;
    this.warned.set(text, { until: this.now() + (isOutage ? PAUSE_OF_OUTAGES : PAUSE), more: 0 });
    if (isOutage) this.isDown = true;
    this.logger.warn(`${text}${earlier?.more ? ` (and ${earlier.more} times since the last warning)` : ''}.`);
  }

  private textOf({ kind, reason }: Pick<ObservedFailure, 'kind' | 'reason'>): string {
    switch (kind) {
      case 'reply':
        return `An email was not taken by ${this.nextHop}: ${reason}`;
      case 'network':
        return `An email could not be given to ${this.nextHop}: ${reason}`;
      case 'policy':
        return `Who may get an email could not be told by a policy: ${reason}`;
      case 'message':
        return `The message of an email could not be made: ${reason}`;
      case 'error':
        return `The delivery of an email ended with an error: ${reason}`;
    }
  }

  /** Whether there are as many reasons as are remembered, after those went whose time is over. */
  private isFull(): boolean {
    if (this.warned.size < MOST_REASONS) return false;
    for (const [text, { until }] of this.warned) if (this.now() >= until) this.warned.delete(text);
    return this.warned.size >= MOST_REASONS;
  }
}

function kindOf({ code }: SmtpReply): 'network' | 'reply' {
  return code === undefined ? 'network' : 'reply';
}

/** Reply code and enhanced status, or the kind of error that there was instead of a reply. */
function reasonOf({ code, text, error }: SmtpReply): string {
  if (code === undefined) return error ?? 'no reply';
  const status = ENHANCED_STATUS.exec(text)?.[1];
  return status === undefined ? String(code) : `${code} ${status}`;
}
