import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '../../shared/text/is-uuid.js';
import { EventAnnouncer } from '../observation/event-announcer.js';
import type { ReportedOutcome, ReportResult } from '../ports/reported-outcome.js';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { reasonText } from '../states/reason-codes.js';
import { ChangeRepository, type ChangeStore } from '../storage/deliver/change.repository.js';
import { Persistence } from './persistence.js';
import { moveOf } from './reported-recipient.js';

/** Records outcomes that are reported after an email was sent. The database decides, as for changes. */
@Injectable()
export class ReportService {
  constructor(
    @Inject(ChangeRepository) private readonly repository: Pick<ChangeStore, 'report'>,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'wake' | 'forget'>,
    private readonly announcer: EventAnnouncer,
    private readonly persistence: Persistence,
  ) {}

  /** @throws ApiError 503 when the email is locked, an attempt at it is under way, or the database is away */
  async report(report: ReportedOutcome): Promise<ReportResult> {
    const { emailId, accountId } = report;
    if (!isUuid(emailId)) return 'unknown_email';
    const { result } = await this.persistence.make(() =>
      this.repository.report(accountId, emailId, (email) => moveOf(email, report)),
    );
    if (result.kind === 'unknown') return 'unknown_email';
    if (result.kind === 'refused') return result.refusal;
    const { fence, delay, isBulk, event } = result;
    const ids = { accountId: result.accountId, emailId: emailId.toLowerCase() };
    const reason = reasonText(event.reasonCode, event.reason, event.source);
    this.announcer.announce([{ ...ids, ...event, ...(reason !== null && { reason }) }]);
    if (fence !== null && delay !== null) {
      this.queue.forget({ ...ids, fence: fence - 1, isBulk });
      this.queue.wake({ ...ids, fence, delay, isBulk });
    }
    return 'recorded';
  }
}
