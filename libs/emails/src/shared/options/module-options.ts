import type { DynamicModule, FactoryProvider, InjectionToken, Provider } from '@nestjs/common';
import { gotten, isObject, list, port, problemsOf, type Rule, type Rules, refuse, required } from './rules.js';

/** Rules of a module's options. */
export interface ModuleRules<Options, Extras> {
  /** Name of its class. */
  module: string;
  /** Injection token of its options. */
  token: InjectionToken;
  /** Rules of the options of `forRoot` and of the factory of `forRootAsync`. */
  options: Rules<Options>;
  /** Rules of the options next to the factory. */
  extras: Rules<Extras>;
  /** True if the factory may return no options at all. Default: false. */
  mayBeNone?: boolean;
}

type AnyRules = Readonly<Record<string, Rule>>;

/** Marks a module that was composed by `forRoot` or `forRootAsync`. */
export const COMPOSED = Symbol('nestjs-emails composed');

/** Guards of a module's routes. */
export const guardsRule: Rule = list((path, value) =>
  typeof value === 'function' || isObject(value) ? [] : [`\`${path}\` must be a guard (got ${gotten(value)}).`],
);

export const requiredGuards = required(
  (path, value) =>
    Array.isArray(value) && value.length === 0
      ? [`\`${path}\` has no guards, so that anybody could use the routes. Pass \`guards: [YourGuard]\`.`]
      : guardsRule(path, value),
  'it has no guards, so that anybody could use the routes. Pass `guards: [YourGuard]`',
);

export const accountResolverRule: Rule = port('an account resolver', ['resolve']);

export const requiredAccountResolver = required(accountResolverRule, 'it resolves the account of a request');

/**
 * Checks the composition of a module, and returns providers that check the options of a factory.
 *
 * @throws Error that names every invalid option and a valid value
 */
export function checkedProviders<Options, Extras>(
  rules: ModuleRules<Options, Extras>,
  { providers = [] }: Pick<DynamicModule, 'providers'>,
  given: object,
): Provider[] {
  const { module, token } = rules;
  const options: AnyRules = rules.options;
  const extras: AnyRules = rules.extras;
  const made = providers.find((provider): provider is FactoryProvider => isFactoryOf(token, provider));
  if (!made) {
    refuse(module, problemsOf({ ...options, ...extras }, { ...given }));
    return [...providers];
  }
  // Without a factory, Nest would look for a class that does not exist.
  const isUnmade = made.inject?.length === 1 && made.inject[0] === undefined;
  refuse(module, [
    ...(isUnmade
      ? ['`forRootAsync` needs `useFactory`, `useClass` or `useExisting`; what it injects is undefined.']
      : []),
    ...(typeof made.useFactory === 'function' ? [] : ['`useFactory` must be a function.']),
    ...problemsOf(extras, withoutFactory(given), '', (name) =>
      name in options ? 'must be among what `useFactory` returns' : undefined,
    ),
  ]);
  const checked: FactoryProvider = {
    ...made,
    useFactory: async (...args: unknown[]) => {
      const result: unknown = await made.useFactory(...args);
      refuse(module, problemsOfResult(rules, result));
      return result;
    },
  };
  return [checked, ...providers.filter((provider) => provider !== made)];
}

/** Keys that describe the factory; Nest 11 passes them with the extras. */
const OF_FACTORY = new Set(['inject', 'provideInjectionTokensFrom', 'useClass', 'useExisting', 'useFactory']);

function withoutFactory(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !OF_FACTORY.has(name)));
}

function problemsOfResult<Options, Extras>(rules: ModuleRules<Options, Extras>, result: unknown): string[] {
  const options: AnyRules = rules.options;
  if (rules.mayBeNone && (result === undefined || result === null)) return [];
  const problems = problemsOf(options, isObject(result) ? result : {}, '', (name) =>
    name in rules.extras ? 'must be given next to `useFactory`, not by it' : undefined,
  );
  return isObject(result) ? problems : [`The factory must return the options (got ${gotten(result)}).`, ...problems];
}

/** Makes `forRoot` and `forRootAsync` of a module's base class report missing arguments. */
export function needOptions(module: string, base: object): void {
  for (const method of ['forRoot', 'forRootAsync']) {
    const make = Reflect.get(base, method) as (options: object) => DynamicModule;
    Object.defineProperty(base, method, {
      configurable: true,
      value(this: object, options: unknown) {
        if (!isObject(options)) throw new Error(`${module}: \`${method}\` needs an object (got ${gotten(options)}).`);
        return make.call(this, options);
      },
    });
  }
}

/** @throws Error when a module is imported by its class alone, without providers */
export function refuseBare(module: string, composed: true | undefined): void {
  if (composed) return;
  throw new Error(
    `${module} is imported without \`forRoot\`. Import what \`${module}.forRoot(…)\` returned, or let it be global with ` +
      '`isGlobal: true` and import it once.',
  );
}

function isFactoryOf(token: InjectionToken, provider: Provider): boolean {
  return typeof provider !== 'function' && provider.provide === token && 'useFactory' in provider;
}
