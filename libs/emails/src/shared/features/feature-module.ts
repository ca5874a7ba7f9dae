import { ConfigurableModuleBuilder, type Provider, type Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ACCOUNT_RESOLVER } from '../callers/account-resolver.js';
import { CallerGuard } from '../callers/caller.guard.js';
import { guarded } from '../callers/guarded.js';
import { BodyParserCheck } from '../http/body-parser.check.js';
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
}

/** The base class of a module with `forRoot` and `forRootAsync`, whose routes lie behind the host's guards. */
export function featureModule({ name, controllers, services }: Feature) {
  const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<FeatureOptions>({ optionsInjectionToken: OPTIONS })
    .setClassMethodName('forRoot')
    .setExtras<FeatureExtras>(
      {},
      (definition, { guards = [], imports = [], role = 'all', dataSource, isGlobal = false }) => ({
        ...definition,
        imports: [...(definition.imports ?? []), ...imports],
        controllers: role === 'worker' ? [] : guarded(name, guards, controllers),
        providers: [
          ...(definition.providers ?? []),
          ...(role === 'worker' ? [] : [CallerGuard, BodyParserCheck, accountResolver(name)]),
          ...services,
          DataSourceCheck,
          ...dataSourceOf(dataSource),
        ],
        exports: [...services],
        global: isGlobal,
      }),
    )
    .build();
  return ConfigurableModuleClass;
}

function accountResolver(name: string): Provider {
  return {
    provide: ACCOUNT_RESOLVER,
    inject: [OPTIONS],
    useFactory: (options: FeatureOptions | undefined) => {
      const accountResolver = options?.accountResolver;
      if (!accountResolver) throw new Error(`${name} has no \`accountResolver\`, which says whose a request is.`);
      return accountResolver;
    },
  };
}

/** Within the module, `DataSource` is the one that it was told to use. */
export function dataSourceOf(name: string | undefined): Provider[] {
  const useExisting = getDataSourceToken(name);
  return useExisting === DataSource ? [] : [{ provide: DataSource, useExisting }];
}
