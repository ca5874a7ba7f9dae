import type { FactoryProvider, InjectionToken } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/**
 * The data source of a module.
 *
 * @param module for the message
 * @param token that the module's own providers inject; never the host's token of this data source
 * @param name of the data source; undefined: the unnamed one
 * @throws Error from the factory, when the host has no such data source
 */
export function dataSourceProvider(
  module: string,
  token: InjectionToken,
  name: string | undefined,
): FactoryProvider<DataSource> {
  return {
    provide: token,
    inject: [{ token: getDataSourceToken(name), optional: true }],
    useFactory: (dataSource?: DataSource) => {
      if (!dataSource) throw new Error(missing(module, name));
      return dataSource;
    },
  };
}

/** True if TypeORM calls the unnamed data source so. */
function isUnnamed(name: string | undefined): boolean {
  return getDataSourceToken(name) === DataSource;
}

function missing(module: string, name: string | undefined): string {
  if (isUnnamed(name))
    return `${module}: there is no data source. Import \`TypeOrmModule.forRoot({ ...emailsDatabase({ features }), type: 'postgres', url })\`.`;
  return (
    `${module}: there is no data source with the name \`${name}\`. Import \`TypeOrmModule.forRoot({ name: '${name}', … })\`, ` +
    'or give the name of yours as `dataSource`.'
  );
}
