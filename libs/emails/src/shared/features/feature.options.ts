import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver } from '../callers/account-resolver.js';

/** What `forRoot` and the factory of `forRootAsync` of a module with routes of its own return. */
export interface FeatureOptions {
  /** Which account a request stands for. Required where the module has routes. */
  accountResolver?: AccountResolver;
}

/** Decided when such a module is composed, before any provider exists. */
export interface FeatureExtras {
  /** Guards of the module's controllers, resolved from its `imports`. Required where it has routes. */
  guards?: readonly Type<CanActivate>[];

  /** Modules that export what the guards inject. Default: none. */
  imports?: ModuleMetadata['imports'];

  /** What this process does: a `worker` has no routes. Default: `all`. */
  role?: 'all' | 'api' | 'worker';

  /** False for its services alone. Default: true. */
  routes?: boolean;

  /** Lets every module of the host inject what this one exports without importing it. Default: false. */
  isGlobal?: boolean;

  /** Name of the TypeORM data source. Default: the unnamed one. */
  dataSource?: string;
}
