import type { ObjectLiteral, Repository } from 'typeorm';

/** What a find of this entity selects, as SQL over its table, for statements that a find is not: `RETURNING`, pages. */
export function selectedColumns<Row extends ObjectLiteral>({ metadata }: Repository<Row>): string {
  const { tableName, columns } = metadata;
  return columns
    .filter(({ isSelect }) => isSelect)
    .map(({ propertyName, databaseName, query }) => {
      const value = query ? query(tableName) : `${tableName}.${databaseName}`;
      return `${value} AS "${propertyName}"`;
    })
    .join(', ');
}
