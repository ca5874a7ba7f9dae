import type { CanActivate, FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver } from '../callers/account-resolver.js';

/** Role of a process. */
export type Role = 'all' | 'api' | 'worker';

/** A feature's own settings in place of those of the composing module. Known before any provider exists. */
export interface FeatureExtras {
  /**
   * Guards of the feature's routes, behind those that features bring, in place of the application's. With an account resolver
   * of its own next to them, the guards of other features are left out too. Default: those of all routes.
   */
  guards?: readonly Type<CanActivate>[];

  /** Account resolver of these routes. Default: that of all routes. */
  accountResolver?: AccountResolver;

  /** Modules that export the dependencies of the guards and of the options factory. Default: those of all features. */
  imports?: ModuleMetadata['imports'];

  /** Role of this process for the feature: a `worker` has no routes. Default: the role for the others. */
  role?: Role;

  /** False mounts no routes, so that only the feature's services remain. Default: as for the others. */
  routes?: boolean;

  /** Name of the TypeORM data source. Default: that of the others. */
  dataSource?: string;
}

/** Options from a factory that injects, such as secrets from a `ConfigService`. */
export interface FeatureFactory<Options> {
  /** Providers that the factory takes, in order. Default: none. */
  inject?: FactoryProvider['inject'];

  /** Makes the options, once, at the start. An error stops the start. */
  useFactory: (...args: never[]) => Options | Promise<Options>;
}

/** Argument of a feature's function: its options, directly or from a factory, and its extras. */
export type FeatureSettings<Options> = (Options | FeatureFactory<Options>) & FeatureExtras;
