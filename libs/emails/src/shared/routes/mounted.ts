import type { CanActivate, DynamicModule, InjectionToken, Provider, Type } from '@nestjs/common';
import { ACCOUNT_RESOLVER, type AccountResolver } from '../callers/account-resolver.js';
import { CallerGuard } from '../callers/caller.guard.js';
import type { Handler } from './express-routes.js';
import { forStrangers, guarded } from './guarded.js';
import { RoutesModule } from './routes.module.js';

/** The possible routes of a module. */
export interface Mounting {
  /** Name of its class. */
  module: string;
  controllers: readonly Type[];
  /** Routes whose requests carry their own proof. Default: none. */
  forStrangers?: readonly Type[];
  guards: readonly Type<CanActivate>[];
  /** The account resolver, and providers that only the routes inject. */
  providers: readonly Provider[];
  /** Middleware before all routes of the application. Default: none. */
  middleware?: readonly Handler[];
  role: Role;
  /** Whether to mount them. */
  routes: boolean;
}

type Role = 'all' | 'api' | 'worker';

/** True if a module serves HTTP. */
export function hasRoutes(role: Role = 'all', routes = true): boolean {
  return routes && role !== 'worker';
}

/** Parts of a module for its routes: empty without routes. */
export function mounted({
  module,
  guards,
  controllers,
  forStrangers: open = [],
  providers,
  middleware = [],
  role,
  routes,
}: Mounting) {
  const empty = { imports: [], controllers: [], providers: [] };
  if (!hasRoutes(role, routes)) return empty satisfies Partial<DynamicModule>;
  const all = [...guarded(module, guards, controllers), ...forStrangers(module, open)];
  return {
    imports: [RoutesModule.register({ module, controllers: all, middleware })],
    controllers: all,
    providers: [CallerGuard, ...providers],
  } satisfies Partial<DynamicModule>;
}

/**
 * The account resolver of a feature, else the one among the checked options of a module.
 *
 * @param options injection token
 */
export function accountResolverOf(
  options: InjectionToken,
  features: readonly { accountResolver?: InjectionToken }[] = [],
): Provider {
  const brought = features.find((feature) => feature.accountResolver !== undefined)?.accountResolver;
  if (brought !== undefined) return { provide: ACCOUNT_RESOLVER, useExisting: brought };
  return {
    provide: ACCOUNT_RESOLVER,
    inject: [options],
    useFactory: (given?: { accountResolver?: AccountResolver }) => given?.accountResolver,
  };
}
