import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Raw, Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository, type RowKey } from '../../shared/rows/account.repository.js';
import { findRows } from '../../shared/rows/find-rows.js';
import { selectedColumns } from '../../shared/rows/selected-columns.js';
import { ErasedForm } from './erased-form.js';
import { SuppressionEntity } from './suppression.entity.js';
import type { SuppressionOrigin } from './suppression-origin.js';
import * as sql from './suppressions.sql.js';

/** An entry to add. */
export interface NewSuppression {
  id: string;
  /** `addressKey` of the address. */
  emailKey: string;
  /** The address in lower case; null for an erased person. */
  email: string | null;
  origin: SuppressionOrigin;
  /** The server's reply. Default: none. */
  reason?: string | null;
  /** The email that caused it. Default: none. */
  sourceId?: string | null;
  /** Default: none is known. */
  operator?: string | null;
  /** How long it counts. Milliseconds. Default: permanently. */
  lifetime?: number;
  /** When a candidate was refused, to the microsecond. ISO 8601. Default: now. */
  createdAt?: string;
}

/** An entry that is on the list. */
export interface WrittenSuppression {
  id: string;
  emailKey: string;
  /** False: it was there before. */
  added: boolean;
}

/** Entries that bounces at an operator added in a time, `to` not included. */
export interface OperatorSpan {
  operator: string;
  /** ISO 8601. */
  from: string;
  to: string;
}

/** The suppressions of the accounts. */
@Injectable()
export class SuppressionsRepository extends AccountRepository<SuppressionEntity> {
  constructor(
    @InjectRepository(SuppressionEntity) rows: Repository<SuppressionEntity>,
    private readonly erased: ErasedForm,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }

  /** Conditions for an address in both of its forms. */
  async keyOf(emailKey: string): Promise<RowKey<SuppressionEntity>> {
    return { emailKey: In([emailKey, ...(await this.erased.of([emailKey]))]), ...this.inForce() };
  }

  /** Entries that have not expired. */
  inForce(): { expiresAt: ReturnType<typeof Raw> } {
    return { expiresAt: Raw((column) => `(${column} IS NULL OR ${column} > now())`) };
  }

  /**
   * Adds addresses, each once, in a transaction. An entry that is there stays: a complaint overrides its origin, and a
   * permanent entry one that would expire. One that a person adds belongs to no operator any more, so that no bad hour and
   * no undo removes it. The entry of an erased person stays as it is stored.
   *
   * @returns the entries, in the order of the addresses
   */
  async put(
    manager: EntityManager,
    accountId: string,
    entries: readonly NewSuppression[],
  ): Promise<WrittenSuppression[]> {
    const keys = entries.map(({ emailKey }) => emailKey);
    const forms = await this.erased.of(keys);
    const known: { emailKey: string }[] = await manager.query(sql.LOCK_OR_EXPIRE, [accountId, [...keys, ...forms]]);
    const kept = new Set(known.map(({ emailKey }) => emailKey));
    const stored = entries.map((entry, at): NewSuppression => {
      const form = forms[at];
      return form === undefined || !kept.has(form) ? entry : { ...entry, emailKey: form, email: null, reason: null };
    });
    const written: WrittenSuppression[] = await manager.query(sql.PUT, [accountId, JSON.stringify(stored)]);
    const byKey = new Map(written.map((entry) => [entry.emailKey, entry]));
    return stored.flatMap(({ emailKey }) => byKey.get(emailKey) ?? []);
  }

  /** Removes entries. @returns their ids, those of ids and addresses that are not there left out */
  async removeAll(
    manager: EntityManager,
    accountId: string,
    by: { ids: readonly string[] } | { emailKeys: readonly string[] },
  ): Promise<string[]> {
    const [ids, keys] = 'ids' in by ? [by.ids, []] : [[], [...by.emailKeys, ...(await this.erased.of(by.emailKeys))]];
    const removed: { id: string }[] = await manager.query(sql.REMOVE, [accountId, ids, keys]);
    return removed.map(({ id }) => id);
  }

  /**
   * Entries that are listed, newest first. The planner does not know the limit, as in `keysetPage`.
   *
   * @param after position of the last entry that was read. Default: from the newest
   */
  async exportPage(accountId: string, after: string | undefined, limit: number): Promise<SuppressionEntity[]> {
    const { tablePath, tableName } = this.repository.metadata;
    return this.repository.query(
      `SELECT ${selectedColumns(this.repository)} FROM (
         SELECT * FROM ${tablePath} WHERE account_id = $1 AND ($2::bigint IS NULL OR seq < $2) AND ${sql.LISTED}
         ORDER BY seq DESC LIMIT (SELECT $3::integer)
       ) AS ${tableName} ORDER BY seq DESC`,
      [accountId, after, limit],
    );
  }

  /** The number of entries that bounces at an operator added in a time, and the first of them that are listed. */
  async ofOperator(
    accountId: string,
    { operator, from, to }: OperatorSpan,
    limit: number,
  ): Promise<{ count: number; first: SuppressionEntity[] }> {
    return this.onMaster(async (rows) => {
      const parameters = [accountId, operator, from, to];
      const [counted]: { count: number }[] = await rows.query(sql.COUNT_OF_OPERATOR, parameters);
      const found: { id: string }[] = await rows.query(sql.FIND_OF_OPERATOR, [...parameters, limit]);
      const first = await findRows(rows, { where: { id: In(found.map(({ id }) => id)) }, order: { seq: 'ASC' } });
      return { count: counted?.count ?? 0, first };
    });
  }

  /** Removes the first of these entries. @returns their ids */
  async removeOfOperator(
    manager: EntityManager,
    accountId: string,
    { operator, from, to }: OperatorSpan,
    limit: number,
  ): Promise<string[]> {
    const found: { id: string }[] = await manager.query(sql.LOCK_OF_OPERATOR, [accountId, operator, from, to, limit]);
    return this.removeAll(manager, accountId, { ids: found.map(({ id }) => id) });
  }
}
