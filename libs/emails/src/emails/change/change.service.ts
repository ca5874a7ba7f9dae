import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { EventAnnouncer } from '../observation/event-announcer.js';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { readScheduledAt } from '../send/request/is-scheduled-at.js';
import type { EmailEventType, MovedBy } from '../states/email-states.js';
import {
  type Alongside,
  type Changed,
  ChangeRepository,
  type ChangeResult,
  type ChangeStore,
} from '../storage/deliver/change.repository.js';
import type { ChangedEmailDto } from './changed-email.dto.js';
import { Persistence } from './persistence.js';
import { notCanceled, notRescheduled, notRetried, type Standing } from './refusals.js';
import { UpdateEmailDto } from './update-email.dto.js';

/** A requested change of an email. */
interface Change {
  make: () => Promise<ChangeResult>;
  /** The event to record. Undefined: none. */
  event?: MovedBy<'change'>;
  /** True if an email in this state already is as requested. */
  isDone: (standing: Standing) => boolean;
  refusal: (standing: Standing) => ApiError;
}

/**
 * Changes that senders request for their emails. The database decides: a worker that has started wins, and so does an
 * earlier change. No queue is needed. A change that a caller asked for is recorded.
 *
 * Every method throws ApiError: 404 when the account has no such email, 422 when it is too late, 503 when the email is
 * locked or the database away; the message says whether it is certain that nothing was changed.
 */
@Injectable()
export class ChangeService {
  constructor(
    @Inject(ChangeRepository) private readonly repository: ChangeStore,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'wake' | 'forget'>,
    private readonly announcer: EventAnnouncer,
    private readonly persistence: Persistence = new Persistence(),
  ) {}

  /** @param alongside runs in the transaction of the change, if there is one; when it rejects, nothing is changed */
  cancel(accountId: string, id: string, caller?: Caller, alongside?: Alongside): Promise<ChangedEmailDto> {
    return this.change(accountId, id, {
      make: () => this.repository.cancel(accountId, id, caller, alongside),
      event: 'canceled',
      isDone: isIn('canceled'),
      refusal: notCanceled,
    });
  }

  async reschedule(accountId: string, id: string, changes: UpdateEmailDto, caller?: Caller): Promise<ChangedEmailDto> {
    const { scheduled_at, id: own, email_id } = readValues(changes, UpdateEmailDto);
    checkRepeated({ id: own, email_id }, isSameId(id));
    const scheduledAt = await readScheduledAt(scheduled_at, new Date());
    return this.change(accountId, id, {
      make: () => this.repository.reschedule(accountId, id, scheduledAt, caller),
      event: 'scheduled',
      isDone: isIn('scheduled'),
      refusal: notRescheduled,
    });
  }

  /** @param alongside as for `cancel` */
  retry(accountId: string, id: string, caller?: Caller, alongside?: Alongside): Promise<ChangedEmailDto> {
    return this.change(accountId, id, {
      make: () => this.repository.retry(accountId, id, caller, alongside),
      isDone: isIn('delivery_delayed'),
      refusal: notRetried,
    });
  }

  private async change(
    accountId: string,
    id: string,
    { make, event, isDone, refusal }: Change,
  ): Promise<ChangedEmailDto> {
    const { result, isRepeated } = await this.persistence.make(make);
    if (result.kind === 'unknown') throw ApiError.notFound('Email not found');
    if (result.kind === 'changed') this.notify(accountId, id, result, event);
    else if (!isDone(result)) throw isRepeated ? ApiError.changeUnknown() : refusal(result);
    return { object: 'email', id };
  }

  /** Notifies the listeners, and the queue of the new time. */
  private notify(
    accountId: string,
    emailId: string,
    { fence, delay, isBulk, event }: Changed,
    type: EmailEventType | undefined,
  ): void {
    if (event && type) this.announcer.announce([{ accountId, emailId, type, ...event }]);
    this.queue.forget({ accountId, emailId, fence: fence - 1, isBulk });
    if (delay !== null) this.queue.wake({ accountId, emailId, fence, delay, isBulk });
  }
}

const isIn =
  (state: EmailEventType) =>
  ({ lastEvent, obstacle }: Standing): boolean =>
    lastEvent === state && obstacle === null;
