import type { InjectionToken, Provider } from '@nestjs/common';
import { accountResolverRule, checkedProviders, guardsRule } from '../options/module-options.js';
import {
  anything,
  flag,
  gotten,
  isObject,
  list,
  oneOf,
  problemsOf,
  type Rule,
  type Rules,
  refuse,
  text,
} from '../options/rules.js';
import type { Feature } from './feature.js';
import type { FeatureExtras, FeatureSettings } from './feature.options.js';

/** The rules of extras. */
export const EXTRAS_RULES: Rules<FeatureExtras> = {
  guards: guardsRule,
  accountResolver: accountResolverRule,
  imports: list(anything),
  role: oneOf('all', 'api', 'worker'),
  routes: flag,
  dataSource: text,
};

type Rest = Pick<Feature, 'imports' | 'own'>;

/**
 * Checks the arguments of a feature's function.
 *
 * @param name of the feature
 * @param token of its options
 * @param rules of its options
 * @returns the provider of the options, and the settings in the form of a feature
 * @throws Error that names every invalid option and a valid value
 */
export function featureSettings<Options extends object>(
  name: string,
  token: InjectionToken,
  rules: Rules<Options>,
  settings: FeatureSettings<Options>,
): Rest & { provider: Provider } {
  checkGiven(name, settings);
  const given: Provider =
    'useFactory' in settings
      ? { provide: token, inject: settings.inject ?? [], useFactory: settings.useFactory }
      : { provide: token, useValue: settings };
  const module = `Feature ${name}`;
  const definition = { providers: [given] };
  const [provider = given] = checkedProviders(
    { module, token, options: rules, extras: EXTRAS_RULES, mayBeNone: true },
    definition,
    settings,
  );
  return { provider, ...restOf(settings) };
}

/** The same for a feature without options. */
export function featureExtras(name: string, extras: FeatureExtras): Rest {
  checkGiven(name, extras);
  refuse(`Feature ${name}`, problemsOf(EXTRAS_RULES as Readonly<Record<string, Rule>>, { ...extras }));
  return restOf(extras);
}

function checkGiven(name: string, given: unknown): void {
  refuse(`Feature ${name}`, isObject(given) ? [] : [`its options must be an object (got ${gotten(given)}).`]);
}

function restOf({ guards, accountResolver, imports, role, routes, dataSource }: FeatureExtras): Rest {
  const own = { guards, accountResolver, role, routes, dataSource };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return { own: given, ...(imports && { imports }) };
}
