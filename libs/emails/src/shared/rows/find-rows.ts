import type { FindManyOptions, FindOptionsSelect, ObjectLiteral, Repository } from 'typeorm';

/**
 * Rows in the form of `find`. The app's listeners and subscribers (`afterLoad`) are not called. Columns are selected by
 * name, because TypeORM 0.3.20 leaves out others that are computed, such as `createdText`.
 */
export function findRows<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  options: FindManyOptions<Row>,
): Promise<Row[]> {
  return rows
    .createQueryBuilder()
    .setFindOptions({ ...options, select: options.select ?? selected(rows) })
    .callListeners(false)
    .getMany();
}

function selected<Row extends ObjectLiteral>({ metadata }: Repository<Row>): FindOptionsSelect<Row> {
  const columns = metadata.columns.filter(({ isSelect }) => isSelect);
  return Object.fromEntries(columns.map(({ propertyName }) => [propertyName, true])) as FindOptionsSelect<Row>;
}
