import type { CanActivate, InjectionToken, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { FeatureMigration } from '../migrations/makes.js';
import type { OpenApiFeature } from '../openapi/components.js';
import type { FeatureExtras } from './feature.options.js';

/** The part of a feature that is independent of emails: a Nest module with its tables and routes. */
export interface Feature {
  /** Unique name within the application, a word in lower case such as `audience`. */
  name: string;

  /** Modules that export the dependencies of its providers and guards. Default: none. */
  imports?: ModuleMetadata['imports'];

  /** Controllers behind the guards. The decorators of this package supply their parameters. */
  controllers?: readonly Type[];

  /**
   * Controllers of paths that another feature may have: each is left out where the controllers of another feature of the
   * application have its path.
   */
  fallbackControllers?: readonly Type[];

  /** Controllers without guards: each request carries its own proof, such as a signed link. */
  openControllers?: readonly Type[];

  /** Providers for every role. They may inject `DataSource`, repositories of `entities`, and `CORE_OPTIONS`. */
  providers?: readonly Provider[];

  /** Providers of processes with workers: not in the role `api`. */
  workers?: readonly Provider[];

  /** Providers that are `HousekeepingTask`s, also among `workers`. Run in processes with workers. */
  housekeeping?: readonly InjectionToken[];

  /** Providers for the application to inject. Providers named as ports are exported anyway. */
  exports?: readonly InjectionToken[];

  /** Entities of its tables. */
  entities?: readonly Type[];

  /** Migrations of its tables. The start checks for the objects listed in `makes`. */
  migrations?: readonly FeatureMigration[];

  /** Its part of an OpenAPI 3.1 document. It may refer to the components of `emailsOpenApi`. */
  openApi?: OpenApiFeature;

  /**
   * Guards that it brings for the routes of all features and of the core, before the application's own. Those of the feature
   * that brings the account resolver come first.
   */
  guards?: readonly Type<CanActivate>[];

  /** The provider of the `AccountResolver` of all routes. Only one feature may have one. */
  accountResolver?: InjectionToken;

  /** Its own settings in place of the common ones. */
  own?: Omit<FeatureExtras, 'imports'>;
}

/** Injection token of `CoreOptions`, for the providers of a feature. */
export const CORE_OPTIONS = Symbol('nestjs-emails core options');

/** Options that a feature inherits from the composing module, unless its own options differ. */
export interface CoreOptions {
  /** Secrets of the installation: the first is in use, all are accepted. */
  secretKeys?: readonly string[];

  /** Public address of the application, with the prefix and version of its routes. */
  publicUrl?: string;
}
