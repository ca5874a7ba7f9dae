import { ConfigurableModuleBuilder, Inject, Optional, type Provider, type Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ACCOUNT_RESOLVER } from '../callers/account-resolver.js';
import { CallerGuard } from '../callers/caller.guard.js';
import { guarded } from '../callers/guarded.js';
import { BodyParserCheck } from '../http/body-parser.check.js';
import type { MakingMigration } from '../migrations/makes.js';
import { checkSchema } from '../migrations/schema.check.js';
import {
  accountResolverRule,
  COMPOSED,
  checkedProviders,
  guardsRule,
  type ModuleRules,
  refuseBare,
  requiredAccountResolver,
  requiredGuards,
} from '../options/module-options.js';
import { anything, flag, list, oneOf, text } from '../options/rules.js';
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
      const { guards = [], imports = [], role = 'all', dataSource, isGlobal = false } = extras;
      return {
        ...definition,
        imports: [...(definition.imports ?? []), ...imports],
        controllers: role === 'worker' ? [] : guarded(name, guards, controllers),
        providers: [
          ...providers,
          ...(role === 'worker' ? [] : [CallerGuard, BodyParserCheck, accountResolver]),
          ...services,
          DataSourceCheck,
          schemaCheck(name, migrations),
          ...dataSourceOf(dataSource),
        ],
        exports: [...services],
        global: isGlobal,
      };
    })
    .build();

  class FeatureModule extends ConfigurableModuleClass {
    constructor(@Optional() @Inject(COMPOSED) composed?: true) {
      super();
      refuseBare(name, composed);
    }
  }
  return FeatureModule;
}

const accountResolver: Provider = {
  provide: ACCOUNT_RESOLVER,
  inject: [OPTIONS],
  useFactory: (options: FeatureOptions) => options.accountResolver,
};

function featureRules(module: string, { role }: FeatureExtras): ModuleRules<FeatureOptions, FeatureExtras> {
  const servesHttp = role !== 'worker';
  return {
    module,
    token: OPTIONS,
    options: { accountResolver: servesHttp ? requiredAccountResolver : accountResolverRule },
    extras: {
      guards: servesHttp ? requiredGuards : guardsRule,
      imports: list(anything),
      role: oneOf('all', 'api', 'worker'),
      isGlobal: flag,
      dataSource: text,
    },
    mayBeNone: !servesHttp,
  };
}

/** Refuses to start without the tables that these migrations make. */
export function schemaCheck(name: string, migrations: readonly MakingMigration[]): Provider {
  return {
    provide: Symbol(`schema of ${name}`),
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => checkSchema(name, dataSource, migrations),
  };
}

/** Within the module, `DataSource` is the one that it was told to use. */
export function dataSourceOf(name: string | undefined): Provider[] {
  const useExisting = getDataSourceToken(name);
  return useExisting === DataSource ? [] : [{ provide: DataSource, useExisting }];
}
