import type { CanActivate, DynamicModule, FactoryProvider, Provider, Type } from '@nestjs/common';
import { ACCOUNT_RESOLVER, type AccountResolver } from '../callers/account-resolver.js';
import { CallerGuard } from '../callers/caller.guard.js';
import type { Handler } from './express-routes.js';
import { forStrangers, guarded } from './guarded.js';
import { RoutesModule } from './routes.module.js';

/** The routes that a module might have. */
export interface Mounting {
  /** Name of its class. */
  module: string;
  controllers: readonly Type[];
  /** Those for whoever carries his own proof. Default: none. */
  forStrangers?: readonly Type[];
  guards: readonly Type<CanActivate>[];
  /** The account resolver, and what only the routes inject. */
  providers: readonly Provider[];
  /** What comes before all routes of the application. Default: none. */
  middleware?: readonly Handler[];
  role: Role;
  /** Whether they are wanted. */
  routes: boolean;
}

type Role = 'all' | 'api' | 'worker';

/** Whether a module serves HTTP. */
export function hasRoutes(role: Role = 'all', routes = true): boolean {
  return routes && role !== 'worker';
}

/** What a module consists of for its routes: nothing, where it has none. */
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
  const all = [...guarded(module, guards, controllers), ...forStrangers(open)];
  return {
    imports: [RoutesModule.register({ module, controllers: all, middleware })],
    controllers: all,
    providers: [CallerGuard, ...providers],
  } satisfies Partial<DynamicModule>;
}

/** The account resolver among the options of a module, which were checked. */
export function accountResolverOf(options: symbol | string): FactoryProvider<AccountResolver | undefined> {
  return {
    provide: ACCOUNT_RESOLVER,
    inject: [options],
    useFactory: (given: { accountResolver?: AccountResolver }) => given.accountResolver,
  };
}
