import { Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';

/** Between two warnings about one account. Milliseconds. */
const PAUSE = 60_000;

/** What is done about an email without html and text: it is refused, or sent as it is with a warning. */
export class ContentRule {
  private readonly logger = new Logger('Emails');
  /** When each account was warned about, the oldest first. */
  private readonly warned = new Map<string, number>();

  constructor(
    private readonly isRequired: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws ApiError 422 where content is required */
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
