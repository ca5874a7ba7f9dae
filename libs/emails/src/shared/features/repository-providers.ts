import type { InjectionToken, Provider, Type } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/**
 * The repositories for `@InjectRepository(Entity)` within a module of the package, on the module's data source.
 * `TypeOrmModule.forFeature` would need the name of that data source at the declaration of the module.
 *
 * @param module owner of the entities, for the message
 * @param token of the data source within the module
 * @throws Error from a factory, when the host left the entities out of its data source. One that the host initializes
 * later has no entities yet, and is not checked.
 */
export function repositoryProviders(
  module: string,
  entities: readonly Type[],
  token: InjectionToken = DataSource,
): Provider[] {
  return entities.map((entity) => ({
    provide: getRepositoryToken(entity),
    inject: [token],
    useFactory: (dataSource: DataSource) => {
      if (dataSource.isInitialized && !dataSource.hasMetadata(entity)) throw new Error(leftOut(module, entity));
      return dataSource.getRepository(entity);
    },
  }));
}

function leftOut(module: string, { name }: Type): string {
  return (
    `${module}: ${name} is not among the \`entities\` of the data source. Give TypeOrmModule.forRoot ` +
    '`...emailsDatabase({ features })`, with your features.'
  );
}
