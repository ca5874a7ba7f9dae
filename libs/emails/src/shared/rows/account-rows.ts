import type { DataSource, EntityManager, EntityTarget, FindOptionsWhere, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AccountRow } from './account-row.js';
import { keysetPage, type ListRule } from './keyset-page.js';
import { onMaster } from './on-master.js';
import type { Page, PageRequest } from './page.js';
import { selectedColumns } from './selected-columns.js';

/** A condition that at most one row of an account meets. Undefined: none can. */
export type RowKey<Row> = FindOptionsWhere<Row> | undefined;

/**
 * The rows of one entity, each of which belongs to an account; those of another are as good as absent. What is written
 * is one statement that gives the row back: read in another one, it could be what somebody else made of it meanwhile. The
 * host's listeners and subscribers are not told: what is in these rows is not theirs.
 */
export class AccountRows<Row extends AccountRow> {
  private readonly repository: Repository<Row>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly entity: EntityTarget<Row>,
  ) {
    this.repository = dataSource.getRepository(entity);
  }

  /**
   * @param manager of a transaction that it joins
   * @returns the new row
   */
  async insert(values: QueryDeepPartialEntity<Row>, manager: EntityManager = this.dataSource.manager): Promise<Row> {
    const { raw } = await this.statement(manager)
      .insert()
      .values(values)
      .returning(selectedColumns(this.repository))
      .updateEntity(false)
      .callListeners(false)
      .execute();
    return raw[0];
  }

  async find(accountId: string, key: RowKey<Row>): Promise<Row | undefined> {
    if (!key) return undefined;
    const where = { ...key, accountId } as FindOptionsWhere<Row>;
    return (await onMaster(this.dataSource, (manager) => manager.findOneBy(this.entity, where))) ?? undefined;
  }

  /** @throws ApiError 422 when the cursor is no entry of this list */
  page(accountId: string, page: PageRequest, rule?: ListRule): Promise<Page<Row>> {
    return keysetPage(this.repository, accountId, page, rule);
  }

  /**
   * @param manager of a transaction that it joins
   * @returns the row as it is now; undefined when there is none
   */
  async change(
    accountId: string,
    key: RowKey<Row>,
    changes: QueryDeepPartialEntity<Row>,
    manager: EntityManager = this.dataSource.manager,
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

  /** @returns the id of the row that is gone; undefined when there was none */
  async remove(accountId: string, key: RowKey<Row>): Promise<string | undefined> {
    if (!key) return undefined;
    const removed = this.statement()
      .delete()
      .where({ ...key, accountId });
    const { raw } = await removed.returning('id').callListeners(false).execute();
    return raw[0]?.id;
  }

  private statement(manager = this.dataSource.manager) {
    return manager.createQueryBuilder(this.entity, this.repository.metadata.tableName);
  }
}

/** Values without those that are undefined: their columns stay as they are, or get their defaults. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
