import type { EmailsObserver, ObservedAttempt } from 'nestjs-emails';
import type { Logger } from 'pino';

/**
 * One line for each attempt: the email's id, the numbers of recipients by outcome, milliseconds. It contains no
 * address.
 */
export class EmailLog implements EmailsObserver {
  constructor(private readonly logger: Logger) {}

  attempted({ emailId, outcomes, duration }: ObservedAttempt): void {
    const counts: Record<string, number> = {};
    for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    this.logger.info({ emailId, outcomes: counts, ms: Math.round(duration) }, 'attempt ended');
  }
}
