import type { EntityManager, FindOptionsWhere, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { ActionLog } from '../actions/action-log.js';
import type { ActionName } from '../actions/action-names.js';
import { recorded } from '../actions/recorded.js';
import type { Caller } from '../callers/caller.js';
import type { AccountRow } from './account-row.js';
import { findRows } from './find-rows.js';
import { keysetPage, type ListRule } from './keyset-page.js';
import { onMaster } from './on-master.js';
import type { Page, PageRequest } from './page.js';
import { queryJoined } from './query-joined.js';
import { selectedColumns } from './selected-columns.js';
import type { Transaction } from './sql-transaction.js';

/** A condition that matches at most one row of an account. Undefined matches none. */
export type RowKey<Row> = FindOptionsWhere<Row> | undefined;

/**
 * Rows of one entity that each belong to an account; the rows of other accounts count as absent. A write is one
 * statement that returns the row: a second statement could read a later change of another request. The host's listeners
 * and subscribers are not called for these rows.
 */
export abstract class AccountRepository<Row extends AccountRow> {
  /**
   * @param repository the underlying one of TypeORM
   * @param log records the changes that callers ask for. Default: nothing is recorded
   */
  protected constructor(
    protected readonly repository: Repository<Row>,
    private readonly log?: ActionLog,
  ) {}

  /**
   * @internal Makes a change, with its record in one transaction if a caller asked for it.
   *
   * @param id to record. Default: that of the result
   */
  recorded<T extends { id: string } | string | undefined>(
    caller: Caller | undefined,
    action: ActionName,
    change: (manager?: EntityManager) => Promise<T>,
    id?: string,
  ): Promise<T> {
    return recorded(this.repository.manager, { log: this.log, caller, action, id }, change);
  }

  /** @internal Records a change within its transaction, if a caller asked for it. */
  async noteAction(
    caller: Caller | undefined,
    action: ActionName,
    id: string,
    transaction: Transaction,
  ): Promise<void> {
    if (caller) await this.log?.record(caller, { action, ids: [id] }, transaction);
  }

  /**
   * @internal
   * @param transaction that it joins. Default: one of its own
   * @returns the new row
   */
  async insert(values: QueryDeepPartialEntity<Row>, transaction?: Transaction): Promise<Row> {
    const inserted = this.statement().insert().values(values).returning(selectedColumns(this.repository));
    const [sql, parameters] = inserted.getQueryAndParameters();
    const query =
      transaction === undefined ? this.repository.query(sql, parameters) : queryJoined(transaction, sql, parameters);
    return (await query)[0] as Row;
  }

  /** @internal */
  async find(accountId: string, key: RowKey<Row>): Promise<Row | undefined> {
    if (!key) return undefined;
    const where = { ...key, accountId } as FindOptionsWhere<Row>;
    const [found] = await this.onMaster((rows) => findRows(rows, { where }));
    return found;
  }

  /** @internal @throws ApiError 422 when the cursor is not an entry of this list */
  page(accountId: string, page: PageRequest, rule?: ListRule): Promise<Page<Row>> {
    return keysetPage(this.repository, accountId, page, rule);
  }

  /**
   * @internal
   * @param manager of a transaction that it joins
   * @returns the changed row; undefined without one
   */
  async change(
    accountId: string,
    key: RowKey<Row>,
    changes: QueryDeepPartialEntity<Row>,
    manager: EntityManager = this.repository.manager,
  ): Promise<Row | undefined> {
    if (!key || Object.keys(changes).length === 0) return this.find(accountId, key);
    const changed = this.statement(manager)
      .update()
      .set(changes)
      .where({ ...key, accountId });
    const { raw } = await changed
      .returning(selectedColumns(this.repository))
      .updateEntity(false)
      .callListeners(false)
      .execute();
    return raw[0];
  }

  /**
   * @internal
   * @param manager of a transaction that it joins
   * @returns the id of the deleted row; undefined without one
   */
  async remove(accountId: string, key: RowKey<Row>, manager?: EntityManager): Promise<string | undefined> {
    if (!key) return undefined;
    const removed = this.statement(manager)
      .delete()
      .where({ ...key, accountId });
    const { raw } = await removed.returning('id').callListeners(false).execute();
    return raw[0]?.id;
  }

  /** @internal Reads the last written state, also with replicas. */
  onMaster<T>(read: (rows: Repository<Row>) => Promise<T>): Promise<T> {
    const { manager, target } = this.repository;
    return onMaster(manager.connection, (master) => read(master.getRepository(target)));
  }

  /** @internal Runs work in a transaction of the data source of these rows. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.repository.manager.transaction(work);
  }

  private statement(manager = this.repository.manager) {
    return manager.createQueryBuilder(this.repository.target, this.repository.metadata.tableName);
  }
}

/** The caller of a change, if it changes anything. */
export function askedBy(caller: Caller | undefined, changes: object | null | undefined): Caller | undefined {
  return changes && Object.keys(changes).length > 0 ? caller : undefined;
}

/** The defined values: other columns stay unchanged, or get their defaults. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
