import { Inject, Injectable } from '@nestjs/common';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { TimelineRepository, type TimelineStore } from '../../storage/read/timeline.repository.js';
import type { EmailEventListDto } from './email-event-list.dto.js';
import type { EmailRecipientListDto } from './email-recipient-list.dto.js';
import { toEventRecord } from './event-record.js';
import { type EventsRequest, unknownCursor } from './events-request.js';
import { toRecipientRecords } from './recipient-record.js';

/** Events of an email, and the state of each of its recipients. */
@Injectable()
export class TimelineService {
  constructor(@Inject(TimelineRepository) private readonly repository: TimelineStore) {}

  /**
   * Events of an email of this account, newest first; undefined when there is no such email.
   *
   * @throws ApiError 422 when the cursor is not an event of this email
   */
  async events(
    accountId: string,
    id: string,
    { limit, after, types, recipient }: EventsRequest,
  ): Promise<EmailEventListDto | undefined> {
    const email = await this.repository.followed(accountId, id);
    if (!email) return undefined;
    if (after !== undefined && !(await this.repository.isEvent(id, after))) throw unknownCursor();
    const recipients =
      recipient === undefined ? undefined : email.addresses.filter((address) => addressKey(address) === recipient);
    const found = await this.repository.events(id, { after, types, recipients, limit: limit + 1 });
    return {
      object: 'list',
      has_more: found.length > limit,
      data: found.slice(0, limit).map((event) => toEventRecord(event)),
    };
  }

  /** All recipients of an email of this account, up to 150; undefined when there is no such email. */
  async recipients(accountId: string, id: string): Promise<EmailRecipientListDto | undefined> {
    const row = await this.repository.recipients(accountId, id);
    return row && { object: 'list', has_more: false, data: toRecipientRecords(row) };
  }
}
