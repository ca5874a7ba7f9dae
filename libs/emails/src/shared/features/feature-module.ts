import {
  type CanActivate,
  ConfigurableModuleBuilder,
  type DynamicModule,
  Inject,
  Optional,
  type Provider,
  type Type,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { MakingMigration } from '../migrations/makes.js';
import { checkSchema } from '../migrations/schema.check.js';
import {
  accountResolverRule,
  COMPOSED,
  checkedProviders,
  guardsRule,
  type ModuleRules,
  needOptions,
  refuseBare,
  requiredAccountResolver,
  requiredGuards,
} from '../options/module-options.js';
import { anything, flag, list, oneOf, type Rules, text } from '../options/rules.js';
import { accountResolverOf, hasRoutes, mounted } from '../routes/mounted.js';
import { DataSourceCheck } from './data-source.check.js';
import type { FeatureExtras, FeatureOptions } from './feature.options.js';

const OPTIONS = Symbol('nestjs-emails feature options');

/** What a module of the package consists of. */
export interface Feature {
  /** Name of its class. */
  name: string;
  controllers: readonly Type[];
  /** Made whatever the role, and exported. They inject `DataSource`. */
  services: readonly Type[];
  /** Those that make its tables. */
  migrations: readonly MakingMigration[];
}

/** The base class of a module with `forRoot` and `forRootAsync`, whose routes lie behind the host's guards. */
export function featureModule({ name, controllers, services, migrations }: Feature) {
  const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<FeatureOptions>({ optionsInjectionToken: OPTIONS })
    .setClassMethodName('forRoot')
    .setExtras<FeatureExtras>({}, (definition, extras) => {
      const providers = checkedProviders(featureRules(name, extras), definition, extras);
      const { guards = [] } = extras;
      const ofRoutes = [accountResolverOf(OPTIONS)];
      return composeFeature({ name, controllers, services, migrations, guards, ofRoutes }, extras, {
        ...definition,
        providers,
      });
    })
    .build();
  needOptions(name, ConfigurableModuleClass);

  class FeatureModule extends ConfigurableModuleClass {
    /** @internal Made by Nest. */
    constructor(@Optional() @Inject(COMPOSED) composed?: true) {
      super();
      refuseBare(name, composed);
    }
  }
  return FeatureModule;
}

/** The same, with what surrounds it. */
interface ComposedFeature extends Omit<Feature, 'services'> {
  /** Made whatever the role, and exported. */
  services: readonly Provider[];
  /** All guards of its controllers. */
  guards: readonly Type<CanActivate>[];
  /** The account resolver, and what only the routes inject. */
  ofRoutes: readonly Provider[];
}

/** What a module consists of, as it was composed. `definition` has its options, and providers that it keeps to itself. */
export function composeFeature(
  { name, controllers, services, migrations, guards, ofRoutes }: ComposedFeature,
  { imports = [], role = 'all', routes = true, isGlobal = false, dataSource }: FeatureExtras,
  definition: DynamicModule,
): DynamicModule {
  const http = mounted({ module: name, guards, controllers, providers: ofRoutes, role, routes });
  return {
    ...definition,
    imports: [...(definition.imports ?? []), ...imports, ...http.imports],
    controllers: http.controllers,
    providers: [
      ...(definition.providers ?? []),
      ...http.providers,
      ...services,
      DataSourceCheck,
      schemaCheck(name, migrations),
      ...dataSourceOf(dataSource),
    ],
    exports: [...services],
    global: isGlobal,
  };
}

/** The rules of the extras; guards may be needed besides. */
export const EXTRAS_RULES: Rules<FeatureExtras> = {
  guards: guardsRule,
  imports: list(anything),
  role: oneOf('all', 'api', 'worker'),
  routes: flag,
  isGlobal: flag,
  dataSource: text,
};

function featureRules(module: string, { role, routes }: FeatureExtras): ModuleRules<FeatureOptions, FeatureExtras> {
  const servesHttp = hasRoutes(role, routes);
  return {
    module,
    token: OPTIONS,
    options: { accountResolver: servesHttp ? requiredAccountResolver : accountResolverRule },
    extras: { ...EXTRAS_RULES, ...(servesHttp && { guards: requiredGuards }) },
    mayBeNone: !servesHttp,
  };
}

/** Refuses to start without the tables that these migrations make. */
function schemaCheck(name: string, migrations: readonly MakingMigration[]): Provider {
  return {
    provide: Symbol(`schema of ${name}`),
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => checkSchema(name, dataSource, migrations),
  };
}

/** Within the module, `DataSource` is the one that it was told to use. */
function dataSourceOf(name: string | undefined): Provider[] {
  const useExisting = getDataSourceToken(name);
  return useExisting === DataSource ? [] : [{ provide: DataSource, useExisting }];
}
