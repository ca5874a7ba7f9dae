import type { FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import type { AccountRow } from './account-row.js';

/** A condition that at most one row of an account meets. Undefined: none can. */
export type RowKey<Row> = FindOptionsWhere<Row> | undefined;

/** The row of the account with this key; rows of another account are as good as absent. */
export async function findRow<Row extends AccountRow>(
  repository: Repository<Row>,
  accountId: string,
  key: RowKey<Row>,
): Promise<Row | undefined> {
  const row = key && (await repository.findOneBy({ ...key, accountId } as FindOptionsWhere<Row>));
  return row ?? undefined;
}

/** Values without those that are undefined: their columns stay as they are, or get their defaults. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/**
 * Changes the row of the account with this key.
 *
 * @returns the row as it is now; undefined when there is none
 */
export async function changeRow<Row extends AccountRow>(
  repository: Repository<Row>,
  accountId: string,
  key: RowKey<Row>,
  changes: QueryDeepPartialEntity<Row>,
): Promise<Row | undefined> {
  const row = await findRow(repository, accountId, key);
  if (!row || Object.keys(changes).length === 0) return row;
  const byId = { id: row.id } as FindOptionsWhere<Row>;
  await repository.update(byId, changes);
  return findRow(repository, accountId, byId);
}

/** @returns the id of the row that is gone; undefined when there was none */
export async function removeRow<Row extends AccountRow>(
  repository: Repository<Row>,
  accountId: string,
  key: RowKey<Row>,
): Promise<string | undefined> {
  const row = await findRow(repository, accountId, key);
  if (!row) return undefined;
  const { affected } = await repository.delete({ id: row.id } as FindOptionsWhere<Row>);
  return affected ? row.id : undefined;
}
