import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EmailEventType } from '../states/email-states.js';
import * as sql from './change.sql.js';
import { transactOnce } from './transact-once.js';

/** Why an email that is delayed cannot be changed: an attempt runs, or nobody knows how one ended, or somebody was sent to. */
export type Obstacle = 'under way' | 'unclear' | 'sent';

/** An email that was changed. */
export interface Changed {
  kind: 'changed';
  /** After the change. */
  fence: number;
  /** Milliseconds until it is due; null when nothing is owed any more. */
  delay: number | null;
  /** What was recorded of it; null when nothing was. */
  event: { id: string; createdAt: Date } | null;
}

/**
 * `unknown`: the account has no such email. `locked`: somebody has its rows locked. `standing`: it is as it was, because it
 * is so already, or because it is too late.
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
  eventId: string | null;
  eventAt: number | null;
}

/** What `ChangeRepository` does, for tests that keep emails elsewhere. */
export type ChangeStore = Pick<ChangeRepository, keyof ChangeRepository>;

/**
 * Moves that no worker makes, each in a transaction of its own that waits for no row.
 *
 * @throws OutcomeUnknownError from every method, when the connection was lost and the email may be changed or not
 */
@Injectable()
export class ChangeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** From `scheduled`; from `delivery_delayed` while nothing is in the way. */
  cancel(accountId: string, id: string): Promise<ChangeResult> {
    return this.change(accountId, id, sql.LOCK, sql.CANCEL, []);
  }

  /**
   * From `scheduled`.
   *
   * @param scheduledAt ISO 8601 with up to six fractional digits
   */
  reschedule(accountId: string, id: string, scheduledAt: string): Promise<ChangeResult> {
    return this.change(accountId, id, sql.LOCK_ALL, sql.RESCHEDULE, [scheduledAt]);
  }

  /** From `delivery_delayed`, while no attempt runs. */
  retry(accountId: string, id: string): Promise<ChangeResult> {
    return this.change(accountId, id, sql.LOCK, sql.RETRY, []);
  }

  private change(
    accountId: string,
    id: string,
    lock: string,
    move: string,
    values: readonly unknown[],
  ): Promise<ChangeResult> {
    return transactOnce(this.dataSource, sql.BEGIN, async (transaction): Promise<ChangeResult> => {
      const [found] = (await transaction.query<{ free: boolean }>(lock, [accountId, id])).rows;
      if (!found) return { kind: 'unknown' };
      if (!found.free) return { kind: 'locked' };
      return toResult((await transaction.query<ChangeRow>(move, [id, ...values])).rows[0]);
    });
  }
}

function toResult(row: ChangeRow | undefined): ChangeResult {
  if (!row) return { kind: 'unknown' };
  const { lastEvent, obstacle, fence, delay, eventId, eventAt } = row;
  if (fence === null) return { kind: 'standing', lastEvent, obstacle };
  const event = eventId !== null && eventAt !== null ? { id: eventId, createdAt: new Date(eventAt) } : null;
  return { kind: 'changed', fence, delay, event };
}
