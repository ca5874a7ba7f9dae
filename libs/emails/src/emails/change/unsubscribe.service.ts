import { isUuid } from '../../shared/text/is-uuid.js';
import type { ReportResult } from '../ports/reported-outcome.js';
import type { UnsubscribeLinks } from '../ports/unsubscribe-links.js';
import type { MessageRecipient } from '../ports/unsubscribe-mailbox.js';
import type { TimelineStore } from '../storage/read/timeline.repository.js';
import type { ReportService } from './report.service.js';

/** Opts recipients out by their email, where no link was followed. */
export class UnsubscribeService {
  constructor(
    private readonly emails: Pick<TimelineStore, 'topicRecipient'>,
    private readonly links: Pick<UnsubscribeLinks, 'optOut'> | undefined,
    private readonly reports: Pick<ReportService, 'report'>,
  ) {}

  /** The choice is written first: it holds without the event. */
  async unsubscribe({ emailId, recipient }: MessageRecipient): Promise<ReportResult> {
    const found = isUuid(emailId) ? await this.emails.topicRecipient(emailId, recipient) : undefined;
    if (!found) return 'unknown_email';
    const { accountId, topicId, address } = found;
    if (address === null) return 'unknown_recipient';
    if (topicId === null || !this.links) return 'unchanged';
    await this.links.optOut({ accountId, emailId, topicId, address });
    return this.reports.report({
      accountId,
      emailId,
      recipient: address,
      kind: 'unsubscribed',
      source: 'unsubscribe',
    });
  }
}
