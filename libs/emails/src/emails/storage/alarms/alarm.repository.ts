import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AlarmKey, NewAlarm } from '../../../shared/alarms/alarms.js';
import { sqlOf, type Transaction } from '../../../shared/rows/sql-transaction.js';
import { transactionFor } from '../../../shared/rows/transaction-for.js';
import { MAX_REASON, storableText } from '../../../shared/text/storable-text.js';
import type { LeaseWrite } from '../../../shared/work/lease-write.js';
import { Lookout } from '../../../shared/work/lookout.js';
import type { OpenAlarm } from '../../ports/alarm-source.js';
import { AlarmEntity } from '../entities/alarm.entity.js';
import * as sql from './alarm.sql.js';

/** Limit of a subject. Characters. */
const MAX_SUBJECT = 200;

/** Due work: a look at the sources of alarms, calls of the host. */
export interface DueAlarmWork {
  look: boolean;
  call: boolean;
}

/** An alarm under a lease, whose begin or end the host is to be notified of. */
export interface ClaimedAlarm extends AlarmKey {
  id: string;
  fence: number;
  text: string;
  since: Date;
  endedAt: Date | null;
  /** True if the host was notified of the begin. */
  isNotified: boolean;
  failures: number;
}

type HeldAlarm = Pick<ClaimedAlarm, 'id' | 'fence'>;
type ClaimedRow = Omit<ClaimedAlarm, 'account'> & { account: string };
type OpenRow = { code: string; account: string; subject: string; since: string };

/** The methods of `AlarmRepository`, for tests with another storage. */
export type AlarmStore = Pick<AlarmRepository, keyof AlarmRepository>;

/** Alarms, and the calls of the host that are pending. */
@Injectable()
export class AlarmRepository {
  constructor(@InjectRepository(AlarmEntity) private readonly alarms: Repository<AlarmEntity>) {}

  /** Begins those that are off. */
  async raise(alarms: readonly NewAlarm[], transaction?: Transaction): Promise<void> {
    const rows = alarms.map((alarm) => ({
      ...keyOf(alarm),
      text: storableText(alarm.text, MAX_REASON),
      since: alarm.since?.toISOString() ?? null,
    }));
    await this.write(sql.RAISE, rows, transaction);
  }

  /** Ends those that are on. */
  async end(alarms: readonly AlarmKey[], transaction?: Transaction): Promise<void> {
    await this.write(sql.END, alarms.map(keyOf), transaction);
  }

  /** Calls back whenever something is due. @returns the function that ends it */
  watch(onDue: (due: DueAlarmWork) => void): () => void {
    return this.lookout.watch({
      question: () => ({ sql: sql.DUE, values: [] }),
      answered: ([due]) => onDue(due as DueAlarmWork),
      failed: () => {},
    });
  }

  /** Resolves with whether this process looks; then no other one does within `interval` milliseconds. */
  async claimLook(interval: number): Promise<boolean> {
    const rows: object[] = await this.alarms.query(sql.CLAIM_LOOK, [interval]);
    return rows.length > 0;
  }

  /** The alarms of these codes that are on. */
  async open(codes: readonly string[]): Promise<OpenAlarm[]> {
    const rows = await this.lookout.ask<OpenRow>({ sql: sql.OPEN, values: [codes] });
    return rows.map(({ since, ...row }) => ({ ...named(row), since: new Date(since) }));
  }

  /** Leases up to `limit` alarms with pending calls for `lease` milliseconds. */
  async claim(lease: number, limit: number): Promise<ClaimedAlarm[]> {
    const rows: ClaimedRow[] = await this.alarms.query(sql.CLAIM, [lease, limit]);
    return rows.map(named);
  }

  /** The host was notified of the begin. */
  notified(alarm: HeldAlarm): Promise<LeaseWrite> {
    return this.close(sql.NOTIFIED, alarm);
  }

  /** The host was notified of the end. */
  forget(alarm: HeldAlarm): Promise<LeaseWrite> {
    return this.close(sql.FORGET, alarm);
  }

  /** A call failed. @param wait milliseconds until the next one */
  putOff(alarm: HeldAlarm, wait: number): Promise<LeaseWrite> {
    return this.close(sql.PUT_OFF, alarm, wait);
  }

  private async close(statement: string, { id, fence }: HeldAlarm, ...values: number[]): Promise<LeaseWrite> {
    const [row]: { held: boolean; done: boolean }[] = await this.alarms.query(statement, [id, fence, ...values]);
    if (row?.done) return 'done';
    return row?.held ? 'locked' : 'lost';
  }

  private async write(statement: string, rows: readonly object[], transaction?: Transaction): Promise<void> {
    const open = transactionFor(this.alarms.manager, transaction);
    await sqlOf(open).query(statement, [JSON.stringify(rows)]);
  }

  private get lookout(): Lookout {
    return Lookout.of(this.alarms.manager.connection);
  }
}

/** In storable form, under the names of the columns. */
export function keyOf({ code, account = '', subject }: AlarmKey) {
  return { code, account_id: account, subject: storableText(subject, MAX_SUBJECT) };
}

/** Without an account where a row has none. */
function named<Row extends { account: string }>({ account, ...row }: Row): Omit<Row, 'account'> & { account?: string } {
  return account === '' ? row : { ...row, account };
}
