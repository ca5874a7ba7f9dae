import type { InjectionToken } from '@nestjs/common';
import { guardsRule } from '../../shared/options/module-options.js';
import { anything, both, group, isObject, list, type Rule, type Rules } from '../../shared/options/rules.js';
import { hasRoutes } from '../../shared/routes/mounted.js';
import { type EmailsFeature, LISTED_PORTS, type PortName, SINGLE_PORTS } from './emails-feature.js';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

const name: Rule = (path, value) =>
  typeof value === 'string' && NAME.test(value) ? [] : [`\`${path}\` must match ${NAME.source}.`];

const LISTS = [
  'imports',
  'controllers',
  'fallbackControllers',
  'openControllers',
  'providers',
  'workers',
  'housekeeping',
  'exports',
] as const;

const named = <Name extends string>(names: readonly Name[], rule: Rule) =>
  Object.fromEntries(names.map((one) => [one, rule])) as Record<Name, Rule>;

const RULES: Rules<EmailsFeature> = {
  name,
  ...named([...LISTS, 'entities', 'migrations', ...LISTED_PORTS], list(anything)),
  ...named(['openApi', 'own', 'accountResolver', ...SINGLE_PORTS], anything),
  guards: guardsRule,
};

const feature: Rule = (path, value) => {
  if (typeof value === 'function') return [`\`${path}\` must be a feature (got a function): call \`${value.name}()\`.`];
  if (isObject(value) && value.name === undefined) return [`\`${path}\` must be a feature: it has no \`name\`.`];
  return both(group<EmailsFeature>(RULES), provided)(path, value);
};

/** Ports are asked in every role, so that `workers` are too few. */
const provided: Rule = (path, value) => {
  const brought = value as EmailsFeature;
  const tokens = (brought.providers ?? []).map((one): InjectionToken => ('provide' in one ? one.provide : one));
  return [...ONCE, ...LISTED_PORTS].flatMap((port) =>
    [brought[port] ?? []]
      .flat()
      .filter((token) => !tokens.includes(token))
      .map((token) => `\`${path}.${port}\` names ${nameOf(token)}, which is not among \`${path}.providers\`.`),
  );
};

function nameOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}

/** Parts that only one feature may bring, or the options. */
const ONCE = ['accountResolver', ...SINGLE_PORTS] as const;
type Once = (typeof ONCE)[number];

/** Each feature is listed once, and single ports are brought once. */
export const featuresRule: Rule = both(list(feature), (path, value) => {
  const features = value as readonly EmailsFeature[];
  const names = features.map((one) => one.name);
  const twice = names.filter((one, at) => names.indexOf(one) !== at);
  const second = ONCE.flatMap((port) => {
    const bringing = features.filter((one) => one[port] !== undefined).map((one) => `\`${one.name}\``);
    return bringing.length > 1 ? [`${bringing.join(' and ')} each bring \`${port}\`, of which there is one.`] : [];
  });
  return twice.length > 0 ? twice.map((one) => `\`${path}\` has \`${one}\` twice: leave one out.`) : second;
});

/** Ports that only emails ask. Other ports of a feature may stay unused: it works without them. */
const OF_EMAILS = new Set<PortName>([
  'recipientPolicies',
  'senderPolicies',
  'messageStages',
  'messageSigners',
  'eventListeners',
  'eventSubscriptions',
  'observers',
  'healthChecks',
  'metrics',
  'alarmSources',
]);

/** Refuses features that need emails. */
export const withoutEmailsRule: Rule = (_, value) =>
  (value as readonly EmailsFeature[]).flatMap((one) => {
    const unasked = LISTED_PORTS.filter((port) => OF_EMAILS.has(port) && one[port]?.length).map(
      (port) => `\`${port}\``,
    );
    if (unasked.length === 0) return [];
    return [
      `the feature \`${one.name}\` needs emails, because it brings ${unasked.join(', ')}. ` +
        'Give it to `EmailsModule.forRoot({ features })`, and to `emailsDatabase({ features })` without `core: false`.',
    ];
  });

/** Whether routes need the account resolver of the application: its own, or those of a feature that has none either. */
export function needResolver(
  features: readonly EmailsFeature[],
  role: Parameters<typeof hasRoutes>[0],
  routes: boolean | undefined,
): boolean {
  return (
    hasRoutes(role, routes) ||
    features.some(
      ({ controllers = [], own }) =>
        controllers.length > 0 && !own?.accountResolver && hasRoutes(own?.role ?? role, own?.routes ?? routes),
    )
  );
}

/** Rules of the options that stand for what a feature brings: they have to be left out. */
export function broughtRules<Port extends Once>(
  ports: readonly Port[],
  features: readonly EmailsFeature[],
): Partial<Record<Port, Rule>> {
  const rules = ports.flatMap((port) => {
    const bringing = features.find((one) => one[port] !== undefined);
    const rule: Rule = (path) => [
      `\`${path}\` is brought by the feature \`${bringing?.name}\`: leave one of both out.`,
    ];
    return bringing ? [[port, rule]] : [];
  });
  return Object.fromEntries(rules);
}

/** The list of features, as far as it is valid; the rule reports the rest. */
export function listOf(features: unknown): EmailsFeature[] {
  return Array.isArray(features) ? features.filter(isObject).map((one) => one as unknown as EmailsFeature) : [];
}
