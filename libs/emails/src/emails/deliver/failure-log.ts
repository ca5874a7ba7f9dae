import { Logger } from '@nestjs/common';
import type { Observation } from '../observation/observation.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import type { ObservedFailure } from '../ports/emails-observer.js';

/** Time between two warnings with the same reason. Milliseconds. */
const PAUSE = 300_000;
/**
 * Time between two warnings of an unreachable next hop: short, so that a recovery is not believed for long.
 * Milliseconds.
 */
const PAUSE_OF_OUTAGES = 60_000;
/** Limit of remembered reasons. Others are reported to observers only. */
const MAX_REASONS = 100;
/** Enhanced status code (RFC 3463), at the beginning of a reply's text or after its code. */
const ENHANCED_STATUS = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?!\S)/;

interface Warned {
  /** When the next warning is allowed. */
  until: number;
  /** Failures since the last warning. */
  more: number;
}

/**
 * Reports failed deliveries. Observers get each failure. The host's log gets each reason once in five minutes, an
 * unreachable next hop once a minute, and its recovery once. Neither addresses nor texts of replies are reported.
 */
export class FailureLog {
  private readonly logger = new Logger('EmailDelivery');
  private readonly warned = new Map<string, Warned>();
  /** True if the log's last word is that the next hop cannot be reached. */
  private isDown = false;

  /** @param nextHop name of the next hop */
  constructor(
    private readonly nextHop: string,
    private readonly observation: Pick<Observation, 'failed'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Reports the outcomes of an attempt. */
  attempted(emailId: string, outcomes: readonly RecipientOutcome[]): void {
    const failed = outcomes.filter(({ outcome }) => outcome !== 'accepted');
    if (failed.length === 0) this.reached();
    const replies = new Map(failed.map(({ reply }) => [reasonOf(reply), reply]));
    for (const [reason, reply] of replies) this.failed({ emailId, kind: kindOf(reply), reason }, isOutage(reply));
  }

  /** Reports that no connection could be opened for an email. */
  unreached(emailId: string, reply: SmtpReply): void {
    this.failed({ emailId, kind: kindOf(reply), reason: reasonOf(reply) }, true);
  }

  /** Reports an attempt that failed or could not be made. */
  failed(failure: ObservedFailure, isOutage = false): void {
    this.observation.failed(failure);
    const text = this.textOf(failure);
    const earlier = this.warned.get(text);
    if (earlier && this.now() < earlier.until) earlier.more++;
    else this.warn(text, isOutage, earlier);
  }

  /**
   * Reports that the next hop is still unreachable. Emails may not have noticed since the log said that it accepts
   * mail.
   */
  isAway(reply: SmtpReply): void {
    if (this.isDown) return;
    const text = this.textOf({ kind: kindOf(reply), reason: reasonOf(reply) });
    const earlier = this.warned.get(text);
    if (!earlier || this.now() >= earlier.until) this.warn(text, true, earlier);
  }

  /** Reports that the next hop accepts mail. */
  reached(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.logger.log(`${this.nextHop} accepts mail again.`);
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
        return `An email was not accepted by ${this.nextHop}: ${reason}`;
      case 'network':
        return `An email could not be given to ${this.nextHop}: ${reason}`;
      case 'policy':
        return `A policy could not decide which recipients may get an email: ${reason}`;
      case 'message':
        return `The message of an email could not be made: ${reason}`;
      case 'transport':
        return `No transport could be chosen for an email: ${reason}`;
      case 'error':
        return `The delivery of an email ended with an error: ${reason}`;
    }
  }

  /** True if the limit of reasons is reached, after expired ones were removed. */
  private isFull(): boolean {
    if (this.warned.size < MAX_REASONS) return false;
    for (const [text, { until }] of this.warned) if (this.now() >= until) this.warned.delete(text);
    return this.warned.size >= MAX_REASONS;
  }
}

function kindOf({ code }: SmtpReply): 'network' | 'reply' {
  return code === undefined ? 'network' : 'reply';
}

/** A reason of the transport itself is about the message. */
function isOutage({ code, reasonCode }: SmtpReply): boolean {
  return code === undefined && reasonCode === undefined;
}

/** Reply code and enhanced status, or the kind of error where there was no reply. */
export function reasonOf({ code, text, error }: SmtpReply): string {
  if (code === undefined) return error ?? 'no reply';
  const status = ENHANCED_STATUS.exec(text)?.[1];
  return status === undefined ? String(code) : `${code} ${status}`;
}
