import {
  type CanActivate,
  type DynamicModule,
  type ExistingProvider,
  type InjectionToken,
  Module,
  type NestModule,
  type Provider,
  type Type,
} from '@nestjs/common';
import { MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ACCOUNT_RESOLVER } from '../callers/account-resolver.js';
import type { FeatureMigration } from '../migrations/makes.js';
import { checkSchema } from '../migrations/schema.check.js';
import { mounted } from '../routes/mounted.js';
import { DataSourceCheck } from './data-source.check.js';
import { dataSourceProvider } from './data-source.provider.js';
import type { Feature } from './feature.js';
import type { FeatureExtras } from './feature.options.js';
import { FeatureHousekeeping } from './feature-housekeeping.js';
import type { HousekeepingTask } from './housekeeping-task.js';
import { repositoryProviders } from './repository-providers.js';

/** Context that the composing module passes to each feature. */
export interface Surroundings extends Omit<FeatureExtras, 'accountResolver'> {
  /** Guards that features bring, among `guards`. */
  brought: readonly Type<CanActivate>[];
  /** Class of that module, which each feature imports in turn (`importComposer`). */
  composer: Type;
}

/**
 * The Nest module of a feature.
 *
 * @param ports its providers that the composer injects
 */
export function featureModule(
  { name, entities = [], migrations = [], own = {}, ...feature }: Feature,
  surroundings: Surroundings,
  ports: readonly ExistingProvider[] = [],
): DynamicModule {
  const { role = 'all', routes = true, dataSource, guards = [] } = { ...surroundings, ...own };
  const owner = `Feature ${name}`;
  const { controllers = [], openControllers = [] } = feature;
  const http = mounted({
    module: owner,
    // With guards and an account resolver of its own, it needs no others.
    guards: own.guards
      ? [...((own.accountResolver ? feature.guards : surroundings.brought) ?? []), ...own.guards]
      : guards,
    controllers,
    forStrangers: openControllers,
    providers: own.accountResolver ? [{ provide: ACCOUNT_RESOLVER, useValue: own.accountResolver }] : [],
    role,
    routes: routes && controllers.length + openControllers.length > 0,
  });
  const imports = [...(surroundings.imports ?? []), ...(feature.imports ?? [])];
  const source = Symbol(`data source of ${owner}`);
  return {
    module: classOf(name, surroundings.composer),
    imports: [dataSourceModule(owner, source, dataSource, imports), ...imports, ...http.imports],
    controllers: http.controllers,
    providers: [
      { provide: DataSource, useExisting: source },
      ...repositoryProviders(owner, entities),
      DataSourceCheck,
      schemaCheck(owner, migrations),
      ...http.providers,
      ...(feature.guards ?? []),
      ...(feature.providers ?? []),
      ...ports,
      ...(role === 'api' ? [] : [...(feature.workers ?? []), housekeepingOf(name, feature.housekeeping)]),
    ],
    exports: exported([
      ...(feature.guards ?? []),
      feature.accountResolver,
      ...(feature.exports ?? []),
      ...ports.flatMap(({ provide, useExisting }) => [provide, useExisting]),
    ]),
  };
}

/**
 * Lets features import the module that composes them, before all others: Nest asks imports in their order, and no other
 * module may decide the account of a request. Nest 11 resolves no `forwardRef` to a dynamic module.
 */
export function importComposer(features: readonly DynamicModule[], composed: DynamicModule): void {
  for (const feature of features) feature.imports = [composed, ...(feature.imports ?? [])];
}

/** Gives each feature those of its fallback controllers whose path no feature serves. */
export function withFallbacks(features: readonly Feature[]): Feature[] {
  const served = features.filter(({ own }) => own?.routes !== false).flatMap(({ controllers = [] }) => controllers);
  const paths = new Set(served.flatMap(pathsOf));
  return features.map(({ fallbackControllers = [], ...feature }) => {
    const left = fallbackControllers.filter((controller) => !pathsOf(controller).some((path) => paths.has(path)));
    return { ...feature, controllers: [...(feature.controllers ?? []), ...left] };
  });
}

/** Paths of a controller, as its decorator has them. */
function pathsOf(controller: Type): string[] {
  return [Reflect.getMetadata(PATH_METADATA, controller)].flat().map(String);
}

/** Removes duplicates and undefined entries. */
function exported(tokens: readonly (InjectionToken | undefined)[]): NonNullable<DynamicModule['exports']> {
  return [...new Set(tokens)].filter((token) => token !== undefined) as Type[];
}

/** The guards that features bring: first those of the feature by which a request has its account. */
export function guardsOf(features: readonly Feature[]): Type<CanActivate>[] {
  const isFirst = ({ accountResolver }: Feature) => Number(accountResolver !== undefined);
  return features.toSorted((one, other) => isFirst(other) - isFirst(one)).flatMap(({ guards = [] }) => guards);
}

/**
 * A separate class for each module, whose name Nest logs. `RouterModule` mounts its routes with those of the composing
 * module, since an application cannot refer to this class.
 */
function classOf(name: string, composer: Type): Type {
  @Module({})
  class FeatureModule implements NestModule {
    constructor(private readonly modules: ModulesContainer) {}

    /** Before the routes exist. */
    configure(): void {
      const key = MODULE_PATH + this.modules.applicationId;
      Reflect.defineMetadata(key, Reflect.getMetadata(key, composer), FeatureModule);
    }
  }
  return Object.defineProperty(FeatureModule, 'name', { value: `${name}Feature` });
}

function housekeepingOf(name: string, tokens: readonly InjectionToken[] = []): Provider {
  return {
    provide: FeatureHousekeeping,
    inject: [...tokens],
    useFactory: (...tasks: HousekeepingTask[]) => new FeatureHousekeeping(name, tasks),
  };
}

/** Refuses to start without the tables that these migrations make. */
function schemaCheck(owner: string, migrations: readonly FeatureMigration[]): Provider {
  return {
    provide: Symbol(`schema of ${owner}`),
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => checkSchema(owner, dataSource, migrations),
  };
}

/**
 * Finds the data source of the feature in a separate module: within the feature, `DataSource` is that one, and every
 * provider that injects it fails with the same sentence if it is missing.
 */
function dataSourceModule(
  owner: string,
  token: symbol,
  name: string | undefined,
  imports: DynamicModule['imports'],
): DynamicModule {
  @Module({})
  class FeatureDataSourceModule {}
  return {
    module: FeatureDataSourceModule,
    ...(imports && { imports }),
    providers: [dataSourceProvider(owner, token, name)],
    exports: [token],
  };
}
