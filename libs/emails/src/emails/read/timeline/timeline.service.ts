import { Injectable } from '@nestjs/common';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import type { ListEnvelope } from '../../../shared/rows/page.js';
import type { TimelineStore } from '../../storage/timeline.repository.js';
import { type EmailEventRecord, toEventRecord } from './event-record.js';
import { type EventsRequest, unknownCursor } from './events-query.js';
import { type EmailRecipientRecord, toRecipientRecords } from './recipient-record.js';

/** What happened to an email, and what became of each of its recipients. */
@Injectable()
export class TimelineService {
  constructor(private readonly repository: TimelineStore) {}

  /**
   * Events of an email of this account, newest first; undefined when there is no such email.
   *
   * @throws ApiError 422 when the cursor is no event of this email
   */
  async events(
    accountId: string,
    id: string,
    { limit, after, types, recipient }: EventsRequest,
  ): Promise<ListEnvelope<EmailEventRecord> | undefined> {
    const email = await this.repository.followed(accountId, id);
    if (!email) return undefined;
    if (after !== undefined && !(await this.repository.isEvent(id, after))) throw unknownCursor();
    const recipients =
      recipient === undefined ? undefined : email.addresses.filter((address) => addressKey(address) === recipient);
    const found = await this.repository.events(id, { after, types, recipients, limit: limit + 1 });
    return {
      object: 'list',
      has_more: found.length > limit,
      data: found.slice(0, limit).map((event) => toEventRecord(event, email)),
    };
  }

  /** All recipients of an email of this account, of which there are 150 at most; undefined when there is no such email. */
  async recipients(accountId: string, id: string): Promise<ListEnvelope<EmailRecipientRecord> | undefined> {
    const row = await this.repository.recipients(accountId, id);
    return row && { object: 'list', has_more: false, data: toRecipientRecords(row) };
  }
}
