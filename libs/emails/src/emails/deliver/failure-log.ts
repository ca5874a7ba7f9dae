import { Logger } from '@nestjs/common';
import type { Observation } from '../observation/observation.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import type { ObservedFailure } from '../ports/emails-observer.js';

/** Between two warnings of the same reason, in milliseconds. */
const PAUSE = 300_000;
/** Reasons that are remembered. */
const MOST_REASONS = 100;
/** RFC 3463, at the beginning of a reply's text or after its code. */
const ENHANCED_STATUS = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?!\S)/;

interface Warned {
  at: number;
  /** Failures since. */
  more: number;
}

/**
 * Tells the host of deliveries that fail: its observers of each, its log of each reason once in five minutes, and once that
 * mail goes out again. Neither an address nor the text of a reply is told.
 */
export class FailureLog {
  private readonly logger = new Logger('EmailDelivery');
  private readonly warned = new Map<string, Warned>();
  private isFailing = false;

  /** @param nextHop what the next hop is called */
  constructor(
    private readonly nextHop: string,
    private readonly observation: Pick<Observation, 'failed'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** An attempt ended so. */
  attempted(emailId: string, outcomes: readonly RecipientOutcome[]): void {
    const failed = outcomes.filter(({ outcome }) => outcome !== 'accepted');
    if (failed.length === 0) this.succeeded();
    const reasons = new Map(
      failed.map(({ reply }) => [reasonOf(reply), reply.code === undefined ? 'network' : 'reply']),
    );
    for (const [reason, kind] of reasons as ReadonlyMap<string, 'network' | 'reply'>) {
      this.failed({ emailId, kind, reason });
    }
  }

  /** An attempt failed, or there could be none. */
  failed(failure: ObservedFailure): void {
    this.observation.failed(failure);
    const text = this.textOf(failure);
    const earlier = this.warned.get(text);
    if (earlier && this.now() - earlier.at < PAUSE) {
      earlier.more++;
      return;
    }
    this.isFailing = true;
    this.remember(text);
    this.logger.warn(`${text}${earlier?.more ? ` (and ${earlier.more} times since the last warning)` : ''}.`);
  }

  private succeeded(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.logger.log(`${this.nextHop} takes mail again.`);
  }

  private textOf({ kind, reason }: ObservedFailure): string {
    switch (kind) {
      case 'reply':
        return `An email was not taken by ${this.nextHop}: ${reason}`;
      case 'network':
        return `An email could not be given to ${this.nextHop}: ${reason}`;
      case 'policy':
        return `Who may get an email could not be told by a policy: ${reason}`;
      case 'message':
        return `The message of an email could not be made: ${reason}`;
    }
  }

  /** The latest last, so that the oldest can be forgotten. */
  private remember(text: string): void {
    this.warned.delete(text);
    this.warned.set(text, { at: this.now(), more: 0 });
    const [oldest] = this.warned.keys();
    if (this.warned.size > MOST_REASONS && oldest !== undefined) this.warned.delete(oldest);
  }
}

/** Reply code and enhanced status, or the kind of error that there was instead of a reply. */
function reasonOf({ code, text, error }: SmtpReply): string {
  if (code === undefined) return error ?? 'no reply';
  const status = ENHANCED_STATUS.exec(text)?.[1];
  return status === undefined ? String(code) : `${code} ${status}`;
}
