import { Injectable } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';

/**
 * Refuses a data source whose tables or columns have other names than those of the migrations, and one that answers
 * from a cache: a revoked key would stay valid, and an opt-out would not count.
 */
@Injectable()
export class DataSourceCheck {
  /** @throws Error that names the option of the data source */
  constructor({ options, entityMetadatas = [] }: DataSource) {
    if (options.entityPrefix) throw unfit('entityPrefix');
    if (typeof options.cache === 'object' && options.cache.alwaysEnabled) throw unfit('cache.alwaysEnabled');
    if (!entityMetadatas.filter(({ schema }) => schema === SCHEMA).every(hasItsNames)) throw unfit('namingStrategy');
  }
}

function hasItsNames({ tablePath, givenTableName, columns }: EntityMetadata): boolean {
  return (
    tablePath === `${SCHEMA}.${givenTableName}` &&
    columns.every(
      ({ databaseName, givenDatabaseName, propertyName, isVirtualProperty }) =>
        isVirtualProperty || databaseName === (givenDatabaseName ?? propertyName),
    )
  );
}

function unfit(option: string): Error {
  return new Error(
    `nestjs-emails cannot use a data source with this \`${option}\`: its tables have fixed names and a fixed schema, and ` +
      'are asked each time. Give it a data source without that, and its name as `dataSource`.',
  );
}
