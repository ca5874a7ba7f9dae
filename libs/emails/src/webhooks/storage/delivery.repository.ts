import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { EndWrite } from '../../shared/work/lease-recorder.js';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import { Lookout } from '../../shared/work/lookout.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import * as sql from './delivery.sql.js';
import { DueWebhooks, type WorkRow } from './due-webhooks.js';
import { transactBounded } from './transact-bounded.js';
import { disable } from './webhook-status.js';

/** Up to which what waits is counted. */
const COUNTED = 100_000;
/** Before every id there is. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Which webhook, and under which number of its lease. */
interface HeldLease {
  id: string;
  fence: number;
}

/** A webhook that this process serves. */
export interface LeasedWebhook extends HeldLease {
  accountId: string;
}

const WRITTEN = {};
/** Webhooks of one look for all. */
const WEBHOOKS = 1_000;
const NO_WORK = { mayHaveMore: false, hasReplays: false };

/** A message for webhooks. */
export interface NewWebhookEvent {
  webhookIds: readonly string[];
  id: string;
  type: string;
  createdAt: Date;
  body: string;
  /** Keys of the addresses in it. */
  people: readonly string[];
}

/** An event that is to be sent now. */
export interface DueEvent {
  seq: string;
  eventId: string;
  /** That were made and have ended. */
  attempts: number;
  replays: number;
  /** Sent again by hand, beside its schedule. */
  replay: boolean;
  /** Since it happened, in milliseconds. */
  age: number;
}

/** What is to be sent to a webhook now, and how. */
export interface DueWork {
  endpoint: string;
  secrets: SealedSecret[];
  /** Whether its last attempt failed. */
  isFailing: boolean;
  events: DueEvent[];
}

/** How an attempt ended. */
export interface AttemptEnd extends Pick<DueEvent, 'seq' | 'attempts' | 'replays' | 'replay'> {
  webhookId: string;
  fence: number;
  attemptId: string;
  /** 0: there was no answer. */
  status: number;
  response: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  succeeded: boolean;
  /** Milliseconds; null: no attempt follows. */
  retryIn: number | null;
}

/** Where a webhook has something to do. */
export interface FoundWork {
  id: string;
  isDue: boolean;
}

/** What is still to be sent. */
export interface WaitingWebhookEvents {
  /** Up to 100,000. */
  count: number;
  /** In milliseconds; 0 when there is none. */
  oldestAge: number;
}

type DueRow = Pick<DueWork, 'endpoint' | 'secrets' | 'isFailing'> & Omit<DueEvent, 'seq'> & { seq: string | null };

/** All that is written and read to send events to webhooks. Durations are in milliseconds. */
@Injectable()
export class WebhookDeliveryRepository {
  private readonly due = new DueWebhooks();

  constructor(private readonly dataSource: DataSource) {}

  /** Puts messages into the logs of webhooks, in their order. */
  async record(manager: EntityManager, events: readonly NewWebhookEvent[]): Promise<void> {
    await manager.query(sql.RECORD, [JSON.stringify(events.map((event, place) => ({ place, ...event })))]);
  }

  /** Webhooks with something to be sent, now or later, behind this one. @param after default: from the first on */
  async findWork(limit: number, after: string = FIRST): Promise<FoundWork[]> {
    try {
      if (!this.due.isKnown) await this.findAllWork();
      let rows: WorkRow[];
      let ids: string[];
      do {
        const values = this.due.valuesAfter(after, limit);
        [, ids] = values;
        rows = await this.dataSource.query(sql.FIND_WORK, [...values]);
        this.note(rows);
      } while (rows[0]?.mayHaveMore);
      const found = rows.flatMap(({ id, isDue }) => (id === null ? [] : [{ id, isDue }]));
      // As many as may be: there are more behind them. New ones are found again in their turn.
      return ids.length === limit ? found.filter(({ id }) => ids.includes(id)) : found.slice(0, limit - 1);
    } catch (error) {
      // The database may be another one from now on.
      this.due.forget();
      throw error;
    }
  }

  /** While there is nothing to do, that is asked together with the questions of others. @returns what ends it */
  watch(found: () => void): () => void {
    let isOfAll = true;
    let began = 0;
    return Lookout.of(this.dataSource).watch({
      question: () => {
        isOfAll = !this.due.isKnown;
        began = performance.now();
        return isOfAll
          ? { sql: sql.FIND_ALL_WORK, values: [FIRST, WEBHOOKS] }
          : { sql: sql.FIND_WORK, values: this.due.valuesAfter(FIRST, WEBHOOKS) };
      },
      answered: (answer) => {
        const rows = answer as WorkRow[];
        const [{ mayHaveMore, hasReplays } = NO_WORK] = rows;
        if (!isOfAll) this.note(rows);
        else if (!mayHaveMore) this.due.begin(rows, performance.now() - began);
        if (mayHaveMore || hasReplays || rows.length >= WEBHOOKS || rows.some(({ isDue }) => isDue)) found();
      },
      failed: () => {
        this.due.forget();
        found();
      },
    });
  }

  private async findAllWork(): Promise<void> {
    const began = performance.now();
    const all: WorkRow[] = [];
    for (let after = FIRST, more = true; more; ) {
      const rows: WorkRow[] = await this.dataSource.query(sql.FIND_ALL_WORK, [after, WEBHOOKS]);
      all.push(...rows);
      after = rows.at(-1)?.id ?? FIRST;
      more = rows[0]?.mayHaveMore ?? false;
    }
    this.due.begin(all, performance.now() - began);
  }

  private note(rows: readonly WorkRow[]): void {
    this.due.note(rows);
    this.due.moveTo(rows[0]?.newest ?? null);
  }

  async findReplays(limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(sql.FIND_REPLAYS, [limit]);
    return rows.map(({ id }) => id);
  }

  /** Those that nobody else serves, the first of them as they are given. */
  lease(ids: readonly string[], duration: number, limit: number): Promise<LeasedWebhook[]> {
    return this.dataSource.query(sql.LEASE, [ids, duration, limit]);
  }

  async extend(leases: readonly HeldLease[], duration: number): Promise<LeaseWrite[]> {
    return this.writeLeases(sql.RENEW, leases, duration);
  }

  async extendLocked(lease: HeldLease, duration: number): Promise<LeaseWrite> {
    const [written = 'lost'] = await this.writeLeases(sql.RENEW_LOCKED, [lease], duration);
    return written;
  }

  async release(lease: HeldLease): Promise<LeaseWrite> {
    const [written = 'lost'] = await this.writeLeases(sql.RELEASE, [lease]);
    return written;
  }

  /** Undefined: the lease is lost, or the webhook is disabled. @param taken numbers of events that are left out */
  async read(lease: HeldLease, limit: number, taken: readonly string[]): Promise<DueWork | undefined> {
    const rows: DueRow[] = await this.dataSource.query(sql.READ, [
      lease.id,
      lease.fence,
      limit,
      taken,
      this.due.dueFrom(lease.id) ?? null,
    ]);
    const [first] = rows;
    if (!first) return undefined;
    const { endpoint, secrets, isFailing } = first;
    return { endpoint, secrets, isFailing, events: rows.flatMap((row) => (row.seq === null ? [] : [row as DueEvent])) };
  }

  /** Records how attempts ended. One answer for each, in order. */
  close(ends: readonly AttemptEnd[]): Promise<EndWrite<object>[]> {
    return this.end(sql.END, ends);
  }

  /** The same for one, and waits until nobody has its row locked. */
  async closeLocked(end: AttemptEnd): Promise<EndWrite<object>> {
    const [written = 'lost'] = await this.end(sql.END_LOCKED, [end]);
    return written;
  }

  async noteSuccess({ id, fence }: HeldLease): Promise<void> {
    await this.dataSource.query(sql.NOTE_SUCCESS, [id, fence]);
  }

  /** Resolves with whether it has failed for so long that it is given up. */
  async noteFailure({ id, fence }: HeldLease): Promise<boolean> {
    const [row]: { over: boolean }[] = await this.dataSource.query(sql.NOTE_FAILURE, [id, fence]);
    return row?.over ?? false;
  }

  /** Resolves with whether it was this process that did. */
  disable({ id, fence }: HeldLease): Promise<boolean> {
    return transactBounded(this.dataSource, async (manager) => {
      const [webhook]: { id: string }[] = await manager.query(sql.LOCK, [id, fence]);
      if (!webhook) return false;
      await disable(manager, id);
      return true;
    });
  }

  /** A step of what is over with webhooks that were disabled. */
  async drop(ids: readonly string[], limit: number): Promise<void> {
    if (ids.length === 0) return;
    const over: { id: string }[] = await this.dataSource.query(sql.DROP, [ids, limit]);
    if (over.length > 0) await this.dataSource.query(sql.FORGET_DROPPED, [over.map(({ id }) => id)]);
  }

  /** The webhook behind this one in whose log there is anything, deleted or not. */
  async nextLog(after: string = FIRST): Promise<string | undefined> {
    const [row]: { id: string }[] = await this.dataSource.query(sql.NEXT_LOG, [after]);
    return row?.id;
  }

  /** Deletes the oldest of a log, and all of one whose webhook is deleted. Resolves with how many. */
  async clean(webhookId: string, age: number, limit: number): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(sql.CLEAN, [webhookId, age, limit]);
    return row?.count ?? 0;
  }

  /** Ids of the keys that secrets are encrypted with, and how many webhooks need each. */
  keys(): Promise<{ key: string; count: number }[]> {
    return this.dataSource.query(sql.KEYS);
  }

  async waiting(): Promise<WaitingWebhookEvents> {
    const [row]: WaitingWebhookEvents[] = await this.dataSource.query(sql.WAITING, [COUNTED]);
    return row ?? { count: 0, oldestAge: 0 };
  }

  private async end(statement: string, ends: readonly AttemptEnd[]): Promise<EndWrite<object>[]> {
    const rows: { held: boolean; free: boolean }[] = await this.dataSource.query(statement, [
      JSON.stringify(ends.map((end, place) => ({ place, ...end }))),
    ]);
    return rows.map(({ held, free }) => {
      if (!held) return 'lost';
      return free ? WRITTEN : 'locked';
    });
  }

  private async writeLeases(
    statement: string,
    leases: readonly HeldLease[],
    ...more: readonly number[]
  ): Promise<LeaseWrite[]> {
    const values = [leases.map(({ id }) => id), leases.map(({ fence }) => fence), ...more];
    const rows: { id: string; done: boolean; held: boolean }[] = await this.dataSource.query(statement, values);
    return leases.map(({ id }) => {
      const row = rows.find((one) => one.id === id);
      if (row?.done) return 'done';
      return row?.held ? 'locked' : 'lost';
    });
  }
}
