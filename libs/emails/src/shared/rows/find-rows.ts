import type { FindManyOptions, ObjectLiteral, Repository } from 'typeorm';

/** Rows in the form of `find`. The app's listeners and subscribers (`afterLoad`) are not called. */
export function findRows<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  options: FindManyOptions<Row>,
): Promise<Row[]> {
  return rows.createQueryBuilder().setFindOptions(options).callListeners(false).getMany();
}
