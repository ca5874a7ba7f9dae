import type { ObjectLiteral, Repository } from 'typeorm';

/**
 * Columns that a find of this entity selects, as SQL over its table, for other statements: `RETURNING`, pages. Arrays
 * are selected as JSON, because node-postgres parses PostgreSQL's array format character by character.
 */
export function selectedColumns<Row extends ObjectLiteral>({ metadata }: Repository<Row>): string {
  const { tableName, columns } = metadata;
  return columns
    .filter(({ isSelect }) => isSelect)
    .map(({ propertyName, databaseName, query, isArray }) => {
      const value = query ? query(tableName) : `${tableName}.${databaseName}`;
      return `${isArray ? `to_json(${value})` : value} AS "${propertyName}"`;
    })
    .join(', ');
}
