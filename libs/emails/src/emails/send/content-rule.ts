import { Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';

/** Interval of warnings about one account. Milliseconds. */
const PAUSE = 60_000;

/** Treatment of an email without html and text: it is refused, or sent empty with a warning. */
export class ContentRule {
  private readonly logger = new Logger('Emails');
  /** Time of the last warning about each account, the oldest first. */
  private readonly warned = new Map<string, number>();

  constructor(
    private readonly isRequired: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws ApiError 422 if content is required */
  check(accountId: string, html: string | null, text: string | null): void {
    if (html || text) return;
    if (this.isRequired) throw ApiError.missingContent();
    this.warn(accountId);
  }

  private warn(accountId: string): void {
    const now = this.now();
    for (const [account, at] of this.warned) {
      if (now - at < PAUSE) break;
      this.warned.delete(account);
    }
    if (this.warned.has(accountId)) return;
    this.warned.set(accountId, now);
    this.logger.warn(
      `Account ${accountId} sends an email without html and text: it arrives empty. \`requireContent\` refuses such emails.`,
    );
  }
}
