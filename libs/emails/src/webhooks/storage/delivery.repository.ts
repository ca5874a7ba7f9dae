import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ALARMS, type Alarms } from '../../shared/alarms/alarms.js';
import type { EndWrite } from '../../shared/work/lease-recorder.js';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import { Lookout } from '../../shared/work/lookout.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import * as sql from './delivery.sql.js';
import { DueWebhooks, type WorkRow } from './due-webhooks.js';
import { HOLD_LOGS } from './log-order.sql.js';
import { transactBounded } from './transact-bounded.js';
import { DISABLED, disable } from './webhook-status.js';

/** Limit of counted pending payloads. */
const COUNTED = 100_000;
/** A cursor before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** A webhook and the fence of its lease. */
interface HeldLease {
  id: string;
  fence: number;
}

/** A webhook that this process serves. */
export interface LeasedWebhook extends HeldLease {
  accountId: string;
}

const WRITTEN = {};
/** Page size of a poll for all webhooks. */
const WEBHOOKS = 1_000;
const NO_WORK = { mayHaveMore: false, hasReplays: false };

/** A message for webhooks. */
export interface NewWebhookEvent {
  webhookIds: readonly string[];
  id: string;
  type: string;
  createdAt: Date;
  body: string;
  /** The email that it is about; null: none. */
  emailId: string | null;
  /** The only recipient that it names; null: none, or several. */
  recipient: string | null;
  /** Keys of the addresses in it. */
  people: readonly string[];
}

/** A due event. */
export interface DueEvent {
  seq: string;
  eventId: string;
  /** Finished attempts. */
  attempts: number;
  replays: number;
  /** A replay, outside the schedule. */
  replay: boolean;
  /** Age of the event. Milliseconds. */
  age: number;
}

/** Payloads due for a webhook now, and its settings. */
export interface DueWork {
  endpoint: string;
  secrets: SealedSecret[];
  /** True if its last attempt failed. */
  isFailing: boolean;
  events: DueEvent[];
}

/** How an attempt ended. */
export interface AttemptEnd extends Pick<DueEvent, 'seq' | 'attempts' | 'replays' | 'replay'> {
  webhookId: string;
  fence: number;
  attemptId: string;
  /** 0: no answer. */
  status: number;
  response: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  succeeded: boolean;
  /** Milliseconds until the next attempt; null: none. */
  retryIn: number | null;
}

/** A webhook with pending events. */
export interface FoundWork {
  id: string;
  isDue: boolean;
}

/** Pending payloads. */
export interface WaitingWebhookEvents {
  /** Up to 100,000. */
  count: number;
  /** Milliseconds; 0 without any. */
  oldestAge: number;
}

type DueRow = Pick<DueWork, 'endpoint' | 'secrets' | 'isFailing'> & Omit<DueEvent, 'seq'> & { seq: string | null };

/** Reads and writes for sending events to webhooks. Durations are in milliseconds. */
@Injectable()
export class WebhookDeliveryRepository {
  private readonly due = new DueWebhooks();

  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(ALARMS) private readonly alarms?: Pick<Alarms, 'raise'>,
  ) {}

  /** Writes messages into the logs of webhooks, in order. */
  async record(manager: EntityManager, events: readonly NewWebhookEvent[]): Promise<void> {
    await manager.query(HOLD_LOGS);
    await manager.query(sql.RECORD, [JSON.stringify(events.map((event, place) => ({ place, ...event })))]);
  }

  /** Webhooks with pending events, due or not, after this one. @param after default: from the first on */
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
      // A full page means that there are more webhooks. New events are found again in their turn.
      return ids.length === limit ? found.filter(({ id }) => ids.includes(id)) : found.slice(0, limit - 1);
    } catch (error) {
      // The database may have changed.
      this.due.forget();
      throw error;
    }
  }

  /** Polls in the idle time, together with the polls of other modules. @returns the function that ends it */
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

  /** Leases webhooks that no other process serves, the first in the given order. */
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

  /** Undefined: the lease is lost, or the webhook is disabled. @param inProgress numbers of events to leave out */
  async read(lease: HeldLease, limit: number, inProgress: readonly string[]): Promise<DueWork | undefined> {
    const rows: DueRow[] = await this.dataSource.query(sql.READ, [
      lease.id,
      lease.fence,
      limit,
      inProgress,
      this.due.dueFrom(lease.id) ?? null,
    ]);
    const [first] = rows;
    if (!first) return undefined;
    const { endpoint, secrets, isFailing } = first;
    return {
      endpoint,
      secrets,
      isFailing,
      events: rows.flatMap((row) => (row.seq === null ? [] : [row as DueEvent])),
    };
  }

  /** Records the results of attempts. One answer for each, in order. */
  close(ends: readonly AttemptEnd[]): Promise<EndWrite<object>[]> {
    return this.end(sql.END, ends);
  }

  /** The same for one attempt; waits until its row is unlocked. */
  async closeLocked(end: AttemptEnd): Promise<EndWrite<object>> {
    const [written = 'lost'] = await this.end(sql.END_LOCKED, [end]);
    return written;
  }

  async noteSuccess({ id, fence }: HeldLease): Promise<void> {
    await this.dataSource.query(sql.NOTE_SUCCESS, [id, fence]);
  }

  /** Resolves with whether the endpoint has failed for so long that it is disabled. */
  async noteFailure({ id, fence }: HeldLease): Promise<boolean> {
    const [row]: { over: boolean }[] = await this.dataSource.query(sql.NOTE_FAILURE, [id, fence]);
    return row?.over ?? false;
  }

  /** Resolves with whether this process disabled it. @param why written to follow "because" */
  disable({ id, fence, accountId }: LeasedWebhook, why: string): Promise<boolean> {
    return transactBounded(this.dataSource, async (manager) => {
      const [webhook]: { id: string }[] = await manager.query(sql.LOCK, [id, fence]);
      if (!webhook) return false;
      await disable(manager, id);
      const text = `A webhook gets no more events, because ${why}.`;
      await this.alarms?.raise({ code: DISABLED, account: accountId, subject: id, text }, manager);
      return true;
    });
  }

  /** Runs one step of the cleanup after webhooks were disabled. */
  async drop(ids: readonly string[], limit: number): Promise<void> {
    if (ids.length === 0) return;
    const over: { id: string }[] = await this.dataSource.query(sql.DROP, [ids, limit]);
    if (over.length > 0) await this.dataSource.query(sql.FORGET_DROPPED, [over.map(({ id }) => id)]);
  }

  /** The next webhook with a non-empty log, deleted or not. */
  async nextLog(after: string = FIRST): Promise<string | undefined> {
    const [row]: { id: string }[] = await this.dataSource.query(sql.NEXT_LOG, [after]);
    return row?.id;
  }

  /** Deletes the oldest entries of a log, or any entries if its webhook is deleted. Resolves with their number. */
  async clean(webhookId: string, age: number, limit: number): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(sql.CLEAN, [webhookId, age, limit]);
    return row?.count ?? 0;
  }

  /** Ids of the keys that secrets are encrypted with, and the number of webhooks that need each. */
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
