import type { ObjectLiteral, Repository } from 'typeorm';

/**
 * What a find of this entity selects, as SQL over its table, for statements that a find is not: `RETURNING`, pages. Arrays
 * come as JSON: node-postgres parses its own format of arrays character by character.
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
