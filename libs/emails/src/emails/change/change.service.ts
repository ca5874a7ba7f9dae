import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { readScheduledAt } from '../send/request/scheduled-at.js';
import type { EmailEventType, MovedBy } from '../states/email-states.js';
import type { Changed, ChangeResult, ChangeStore } from '../storage/change.repository.js';
import { type EmailChanges, emailChanges } from './email-changes.fields.js';
import { Persistence } from './persistence.js';
import { notCanceled, notRescheduled, notRetried, type Standing } from './refusals.js';

/** An email that was changed, as it is answered. */
export interface ChangedEmail {
  object: 'email';
  id: string;
}

/** What is asked for of an email. */
interface Change {
  make: () => Promise<ChangeResult>;
  /** What is recorded of it. Undefined: nothing. */
  event?: MovedBy<'change'>;
  /** Whether an email that stands so is as it was asked for. */
  isDone: (standing: Standing) => boolean;
  refusal: (standing: Standing) => ApiError;
}

/**
 * What senders ask for of an email that they sent. The database decides: a worker that has begun wins, and so does a change
 * that was first. No queue is needed.
 *
 * Every method throws ApiError: 404 when the account has no such email, 422 when it is too late, 503 when the email is
 * locked or the database away; the message says whether it is known that nothing was changed.
 */
@Injectable()
export class ChangeService {
  private readonly persistence = new Persistence();

  constructor(
    private readonly repository: ChangeStore,
    private readonly queue: Pick<DeliveryQueue, 'wake' | 'forget'>,
    private readonly announcer: EventAnnouncer,
  ) {}

  cancel(accountId: string, id: string): Promise<ChangedEmail> {
    return this.change(accountId, id, {
      make: () => this.repository.cancel(accountId, id),
      event: 'canceled',
      isDone: isIn('canceled'),
      refusal: notCanceled,
    });
  }

  async reschedule(accountId: string, id: string, changes: EmailChanges): Promise<ChangedEmail> {
    const { scheduled_at, id: own, email_id } = readValues(changes, emailChanges);
    checkRepeated({ id: own, email_id }, isSameId(id));
    const scheduledAt = await readScheduledAt(scheduled_at, new Date());
    return this.change(accountId, id, {
      make: () => this.repository.reschedule(accountId, id, scheduledAt),
      event: 'scheduled',
      isDone: isIn('scheduled'),
      refusal: notRescheduled,
    });
  }

  retry(accountId: string, id: string): Promise<ChangedEmail> {
    return this.change(accountId, id, {
      make: () => this.repository.retry(accountId, id),
      isDone: isIn('delivery_delayed'),
      refusal: notRetried,
    });
  }

  private async change(accountId: string, id: string, { make, event, isDone, refusal }: Change): Promise<ChangedEmail> {
    const { result, isRepeated } = await this.persistence.make(make);
    if (result.kind === 'unknown') throw ApiError.notFound('Email not found');
    if (result.kind === 'changed') this.tell(accountId, id, result, event);
    else if (!isDone(result)) throw isRepeated ? ApiError.changeUnknown() : refusal(result);
    return { object: 'email', id };
  }

  /** Whoever listens hears of it, and the queue of the new time. */
  private tell(
    accountId: string,
    emailId: string,
    { fence, delay, event }: Changed,
    type: EmailEventType | undefined,
  ): void {
    if (event && type) this.announcer.announce([{ accountId, emailId, type, ...event }]);
    this.queue.forget({ accountId, emailId, fence: fence - 1 });
    if (delay !== null) this.queue.wake({ accountId, emailId, fence, delay });
  }
}

const isIn =
  (state: EmailEventType) =>
  ({ lastEvent, obstacle }: Standing): boolean =>
    lastEvent === state && obstacle === null;
