import { randomUUID } from 'node:crypto';
import { isUUID } from 'class-validator';
import type { ListEnvelope, PageRequest } from 'nestjs-emails';
import type { DataSource, EntityManager } from 'typeorm';
import { listPage } from './list-page.js';

/** Where the rows are and what is shown of one. The texts are SQL of ours, never of a caller. */
export interface RowSource {
  /** A table with `id`, `account_id` and `seq`, unique within the account and growing. */
  table: string;
  /** Columns as they appear in an answer. */
  columns: string;
  /** A column that tells when the row was changed last. */
  changedAt?: string;
  /** See `ListSource`. */
  weight?: string;
}

/** A column of ours whose value is unique within an account, and a value. Undefined: what no row can have. */
export type RowKey = { column: string; value: string } | undefined;

/** Values by column. Undefined: the column stays as it is, or gets its default. */
export type RowValues = Readonly<Record<string, unknown>>;

/** The key of the row with this id, if it is one. */
export function byId(id: string): RowKey {
  return isUUID(id) ? { column: 'id', value: id } : undefined;
}

/** What every resource of an account can do. Rows of another account are as good as absent. */
export class AccountRows<T> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly source: RowSource,
  ) {}

  /** @returns the new row */
  async insert(accountId: string, values: RowValues, manager: EntityManager = this.dataSource.manager): Promise<T> {
    const given = givenOf({ id: randomUUID(), account_id: accountId, ...values });
    const rows = await manager.query<T[]>(
      `INSERT INTO ${this.source.table} (${given.map(([column]) => column).join(', ')})
       VALUES (${given.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING ${this.source.columns}`,
      given.map(([, value]) => value),
    );
    return rows[0] as T;
  }

  /** @throws ApiError 422 when the cursor is no entry of this list */
  list(accountId: string, page: PageRequest): Promise<ListEnvelope<T>> {
    return listPage(this.dataSource, { ...this.source, where: 'true' }, accountId, page);
  }

  async find(accountId: string, key: RowKey): Promise<T | undefined> {
    if (key === undefined) {
      return undefined;
    }
    const [row] = await this.dataSource.query<T[]>(
      `SELECT ${this.source.columns} FROM ${this.source.table} WHERE account_id = $1 AND ${key.column} = $2`,
      [accountId, key.value],
    );
    return row;
  }

  /** @returns the row as it is now; undefined when there is none */
  async update(accountId: string, key: RowKey, changes: RowValues): Promise<T | undefined> {
    if (key === undefined) {
      return undefined;
    }
    const given = givenOf(changes);
    if (given.length === 0) {
      return this.find(accountId, key);
    }
    const { table, columns, changedAt } = this.source;
    const assignments = given.map(([column], index) => `${column} = $${index + 3}`);
    if (changedAt !== undefined) {
      assignments.push(`${changedAt} = now()`);
    }
    const [rows] = await this.dataSource.query<[T[], number]>(
      `UPDATE ${table} SET ${assignments.join(', ')}
       WHERE account_id = $1 AND ${key.column} = $2 RETURNING ${columns}`,
      [accountId, key.value, ...given.map(([, value]) => value)],
    );
    return rows[0];
  }

  /** @returns the id of the row that is gone; undefined when there was none */
  async remove(accountId: string, key: RowKey): Promise<string | undefined> {
    if (key === undefined) {
      return undefined;
    }
    const [rows] = await this.dataSource.query<[{ id: string }[], number]>(
      `DELETE FROM ${this.source.table} WHERE account_id = $1 AND ${key.column} = $2 RETURNING id`,
      [accountId, key.value],
    );
    return rows[0]?.id;
  }
}

function givenOf(values: RowValues): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}
