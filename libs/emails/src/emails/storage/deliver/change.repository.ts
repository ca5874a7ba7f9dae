import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ActionLog } from '../../../shared/actions/action-log.js';
import type { ActionName } from '../../../shared/actions/action-names.js';
import type { Caller } from '../../../shared/callers/caller.js';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import type { EmailEventType, RecordedEventType } from '../../states/email-states.js';
import type { RecipientState } from '../../states/recipient-state.js';
import type { ReportSource } from '../../states/report-sources.js';
import { DeliveryEntity } from '../entities/delivery.entity.js';
import { ActionsRepository } from '../keep/actions.repository.js';
import * as sql from './change.sql.js';
import { type Transaction, transactOnce } from './transact-once.js';

/**
 * Why a delayed email cannot be changed: an attempt runs, the end of an attempt is unknown, or a recipient was sent to.
 */
export type Obstacle = 'under way' | 'unclear' | 'sent';

/** A changed email. */
export interface Changed {
  kind: 'changed';
  /** The fence after the change. */
  fence: number;
  /** Milliseconds until it is due; null when nothing is pending. */
  delay: number | null;
  /** In the lane `bulk`. */
  isBulk: boolean;
  /** The recorded event; null when there is none. */
  event: { id: string; createdAt: Date } | null;
}

/**
 * `unknown`: the account has no such email. `locked`: another transaction has its rows locked. `standing`: unchanged,
 * because it is in that state already, or because it is too late.
 */
export type ChangeResult =
  | Changed
  | { kind: 'unknown' }
  | { kind: 'locked' }
  | { kind: 'standing'; lastEvent: EmailEventType; obstacle: Obstacle | null };

interface ChangeRow {
  lastEvent: EmailEventType;
  obstacle: Obstacle | null;
  fence: number | null;
  delay: number | null;
  isBulk: boolean;
  eventId: string | null;
  eventAt: number | null;
}

/** A reported email, whose rows the transaction has locked. */
export interface ReportedEmail {
  accountId: string;
  recipients: readonly RecipientState[];
  lastEvent: EmailEventType;
  /** Number of ended attempts. */
  attempts: number;
  /** The events of earlier reports. */
  reported: readonly {
    type: RecordedEventType;
    recipient: string | null;
    source: ReportSource;
    reason: string | null;
    reasonCode: string | null;
  }[];
}

/** The change that a report makes. */
export interface ReportedMove {
  /** Index of the recipient among those of the email; null: it is not known. */
  place: number | null;
  /** Null: the recipient's state is unchanged. */
  status: RecipientState['status'] | null;
  lastEvent: EmailEventType;
  isPending: boolean;
  event: ReportedEvent;
}

/** The event of a report. */
export interface ReportedEvent {
  type: RecordedEventType;
  /** Absent when it is not known. */
  recipient?: string;
  reason?: string;
  reasonCode?: string;
  bounce?: BounceKind;
  source: ReportSource;
}

/** `refused`: nothing was changed. `locked`: another transaction has its rows locked, or an attempt runs. */
export type ReportOutcome<Refusal> =
  | { kind: 'unknown' }
  | { kind: 'locked' }
  | { kind: 'refused'; refusal: Refusal }
  | {
      kind: 'recorded';
      accountId: string;
      /** The fence after the change; null when the recipient is unchanged. */
      fence: number | null;
      /** Milliseconds until it is due; null when nothing is pending. */
      delay: number | null;
      /** In the lane `bulk`. False when the recipient is unchanged. */
      isBulk: boolean;
      event: ReportedEvent & { id: string; createdAt: Date };
    };

interface ReportedRow extends ReportedEmail {
  isUnderWay: boolean;
  isSplit: boolean;
}

interface RecordedRow {
  fence: number | null;
  delay: number | null;
  isBulk: boolean;
  eventId: string;
  eventAt: number;
}

/** The statements of a change, and the name under which it is recorded. */
interface Move {
  lock: string;
  move: string;
  action: ActionName;
  /** Values from $2 on. */
  values?: readonly unknown[];
}

/** Further work in the transaction of a change that was made. When it rejects, nothing is changed. */
export type Alongside = (transaction: Transaction) => Promise<void>;

/** The methods of `ChangeRepository`, for tests with another storage. */
export type ChangeStore = Pick<ChangeRepository, keyof ChangeRepository>;

/**
 * Changes that are not made by a worker. Each runs in a transaction of its own that waits for no row, and is recorded
 * there if a caller asked for it.
 *
 * @throws OutcomeUnknownError from every method, when the connection was lost and the email may be changed or not
 */
@Injectable()
export class ChangeRepository {
  constructor(
    @InjectRepository(DeliveryEntity) private readonly deliveries: Repository<DeliveryEntity>,
    @Inject(ActionsRepository) private readonly actions: ActionLog,
  ) {}

  /** From `scheduled`; from `delivery_delayed` if there is no obstacle. */
  cancel(accountId: string, id: string, caller?: Caller, alongside?: Alongside): Promise<ChangeResult> {
    return this.change(
      accountId,
      id,
      { lock: sql.LOCK, move: sql.CANCEL, action: 'email.cancel' },
      { caller, alongside },
    );
  }

  /**
   * From `scheduled`.
   *
   * @param scheduledAt ISO 8601 with up to six fractional digits
   */
  reschedule(accountId: string, id: string, scheduledAt: string, caller?: Caller): Promise<ChangeResult> {
    const values = [scheduledAt];
    const move = { lock: sql.LOCK_ALL, move: sql.RESCHEDULE, action: 'email.reschedule', values } as const;
    return this.change(accountId, id, move, { caller });
  }

  /** From `delivery_delayed`, while no attempt runs. */
  retry(accountId: string, id: string, caller?: Caller, alongside?: Alongside): Promise<ChangeResult> {
    return this.change(
      accountId,
      id,
      { lock: sql.LOCK, move: sql.RETRY, action: 'email.retry' },
      { caller, alongside },
    );
  }

  /**
   * Moves one recipient forward. Simultaneous reports about other recipients are kept.
   *
   * @param accountId undefined: the account that has the email
   * @param decide returns the change, or the reason why there is none
   */
  report<Refusal extends string>(
    accountId: string | undefined,
    id: string,
    decide: (email: ReportedEmail) => ReportedMove | Refusal,
  ): Promise<ReportOutcome<Refusal>> {
    return transactOnce(this.deliveries.manager.connection, sql.BEGIN, async (transaction) => {
      const [found] = (await transaction.query<{ free: boolean }>(sql.LOCK_REPORTED, [accountId ?? null, id])).rows;
      if (!found) return { kind: 'unknown' };
      if (!found.free) return { kind: 'locked' };
      const [email] = (await transaction.query<ReportedRow>(sql.REPORTED, [id])).rows;
      if (!email) return { kind: 'unknown' };
      // A message of the running attempts may be the one that the report is about.
      if (email.isSplit) return { kind: 'locked' };
      const move = decide(email);
      if (typeof move === 'string') return { kind: 'refused', refusal: move };
      // The end of the attempt would overwrite the change of a state.
      if (email.isUnderWay && move.status !== null) return { kind: 'locked' };
      const { place, status, lastEvent, isPending, event } = move;
      const values = [id, place, status, lastEvent, isPending, JSON.stringify(event)];
      const [{ fence, delay, isBulk, eventId, eventAt }] = (await transaction.query<RecordedRow>(sql.REPORT, values))
        .rows as [RecordedRow];
      const recorded = { ...event, id: eventId, createdAt: new Date(eventAt) };
      return { kind: 'recorded', accountId: email.accountId, fence, delay, isBulk, event: recorded };
    });
  }

  private change(
    accountId: string,
    id: string,
    { lock, move, action, values = [] }: Move,
    { caller, alongside }: { caller?: Caller | undefined; alongside?: Alongside | undefined },
  ): Promise<ChangeResult> {
    return transactOnce(this.deliveries.manager.connection, sql.BEGIN, async (transaction): Promise<ChangeResult> => {
      const [found] = (await transaction.query<{ free: boolean }>(lock, [accountId, id])).rows;
      if (!found) return { kind: 'unknown' };
      if (!found.free) return { kind: 'locked' };
      const result = toResult((await transaction.query<ChangeRow>(move, [id, ...values])).rows[0]);
      if (result.kind !== 'changed') return result;
      if (caller) await this.actions.record(caller, { action, ids: [id] }, transaction);
      await alongside?.(transaction);
      return result;
    });
  }
}

function toResult(row: ChangeRow | undefined): ChangeResult {
  if (!row) return { kind: 'unknown' };
  const { lastEvent, obstacle, fence, delay, isBulk, eventId, eventAt } = row;
  if (fence === null) return { kind: 'standing', lastEvent, obstacle };
  const event = eventId !== null && eventAt !== null ? { id: eventId, createdAt: new Date(eventAt) } : null;
  return { kind: 'changed', fence, delay, isBulk, event };
}
