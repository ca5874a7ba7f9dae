import type { EmailsObserver, ObservedAttempt } from 'nestjs-emails';
import type { Logger } from 'pino';

/**
 * One line for each attempt: the email's id, the transport, numbers of recipients by outcome, milliseconds. It contains no
 * address.
 */
export class EmailLog implements EmailsObserver {
  constructor(private readonly logger: Logger) {}

  attempted({ emailId, transport, outcomes, duration }: ObservedAttempt): void {
    const counts: Record<string, number> = {};
    for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    this.logger.info({ emailId, transport, outcomes: counts, ms: Math.round(duration) }, 'attempt ended');
  }
}
