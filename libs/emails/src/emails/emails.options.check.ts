import { guardsOf } from '../shared/features/feature-module.js';
import { toAsciiDomain } from '../shared/mailbox/domain.js';
import {
  accountResolverRule,
  guardsRule,
  type ModuleRules,
  requiredAccountResolver,
  requiredGuards,
} from '../shared/options/module-options.js';
import { bytes, LONGEST_TIMER, milliseconds, whole } from '../shared/options/number-rules.js';
import {
  anything,
  both,
  callback,
  flag,
  gotten,
  group,
  isObject,
  list,
  oneOf,
  port,
  problemsOf,
  type Rule,
  type Rules,
  refuse,
  required,
  secret,
  text,
  webAddress,
} from '../shared/options/rules.js';
import { hasRoutes } from '../shared/routes/mounted.js';
import { namesOfTransports } from './deliver/routes/transports-of.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { EMAILS_OPTIONS } from './emails.tokens.js';
import { SINGLE_PORTS } from './features/emails-feature.js';
import { broughtRules, featuresRule, listOf, needResolver } from './features/features.rule.js';
import type { NamedTransport } from './ports/named-transport.js';
import { STAGING_RULES } from './staging/staging.rules.js';

const DAY = 86_400_000;
/** A hundred years. Data that must be kept longer is kept permanently. */
const LONGEST_AGE = 36_500 * DAY;
/** Limit of one text in V8. */
const LARGEST_BODY = 500_000_000;
const MOST_AT_ONCE = 10_000;
const MOST_TRANSPORTS = 32;

type Group<K extends keyof EmailsOptions> = NonNullable<EmailsOptions[K]>;

const hop = oneOf('final', 'relay');

const transport: Rule = both(
  port('a transport, such as `new SmtpTransport({ url })`', ['send', 'verify', 'close'], ['acquireSlot']),
  (path, value) => {
    const { hop: which, nextHop, kind } = value as { hop?: unknown; nextHop?: unknown; kind?: unknown };
    return [
      ...hop(`${path}.hop`, which),
      ...(nextHop === undefined ? [] : text(`${path}.nextHop`, nextHop)),
      ...(kind === undefined ? [] : text(`${path}.kind`, kind)),
    ];
  },
);

const printable: Rule = (path, value) =>
  typeof value === 'string' && /^[!-~]([ -~]{0,98}[!-~])?$/.test(value)
    ? []
    : [`\`${path}\` must have 1 to 100 printable ASCII characters, without blanks at its ends.`];

const domainPattern: Rule = (path, value) =>
  typeof value === 'string' && isDomain(value.replace(/^\*\./, ''))
    ? []
    : [`\`${path}\` must be a domain such as \`example.com\`, or \`*.example.com\` for those below it.`];

const NEEDED = 'it is how emails leave, such as `new SmtpTransport({ url })`';

const aDay = whole(0, Number.MAX_SAFE_INTEGER);
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const maxPerDay: Rule = (path, value) => {
  if (!isObject(value)) return aDay(path, value);
  const days = Object.keys(value);
  const odd = days.find((day) => !DATE.test(day));
  if (days.length === 0 || odd !== undefined)
    return [
      `\`${path}\` must be a number, or numbers by the day from which they hold, such as \`{ '2026-12-01': 50 }\`.`,
    ];
  return days.flatMap((day) => aDay(`${path}['${day}']`, value[day]));
};

const namedTransport = group<NamedTransport>({
  name: printable,
  transport: required(transport, NEEDED),
  weight: whole(0, 1_000),
  for: group<NonNullable<NamedTransport['for']>>({
    fromDomains: list(domainPattern),
    recipientDomains: list(domainPattern),
    tags: list(text),
    accounts: list(text),
  }),
  maxConnections: whole(1, MOST_AT_ONCE),
  maxPerSecond: (path, value) =>
    typeof value === 'number' && value > 0 && value <= 100_000
      ? []
      : [`\`${path}\` must be a number above 0 and up to 100,000 (got ${gotten(value)}).`],
  maxPerDay,
});

const transports: Rule = both(list(namedTransport), (path, value) => {
  const all = value as readonly NamedTransport[];
  if (all.length === 0 || all.length > MOST_TRANSPORTS)
    return [`\`${path}\` must have 1 to ${MOST_TRANSPORTS} entries (got ${all.length}).`];
  const names = namesOfTransports({ transports: all });
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice === undefined ? [] : [`\`${path}\` has two transports named ${twice}: give one another \`name\`.`];
});

function isDomain(text: string): boolean {
  try {
    return toAsciiDomain(text) !== '';
  } catch {
    return false;
  }
}

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

const subscription: Rule = both(port('an event subscription', ['handle']), (path, value) => {
  const { name, types, accounts } = value as { name?: unknown; types?: unknown; accounts?: unknown };
  return [
    ...(typeof name === 'string' && NAME.test(name) ? [] : [`\`${path}.name\` must match ${NAME.source}`]),
    ...(types === undefined ? [] : list(text)(`${path}.types`, types)),
    ...(accounts === undefined ? [] : oneOf('all', 'chosen')(`${path}.accounts`, accounts)),
  ];
});

const subscriptions: Rule = both(list(subscription), (path, value) => {
  const names = (value as readonly { name: unknown }[]).map(({ name }) => name);
  return new Set(names).size === names.length ? [] : [`\`${path}\` has two of the same name`];
});

const policy: Rule = both(port('a recipient policy', ['decide']), (path, value) => {
  const { isSuppressionList } = value as { isSuppressionList?: unknown };
  return isSuppressionList === undefined ? [] : flag(`${path}.isSuppressionList`, isSuppressionList);
});

const policies: Rule = both(list(policy), (path, value) => {
  const lists = (value as readonly { isSuppressionList?: unknown }[]).filter(
    ({ isSuppressionList: is }) => is === true,
  );
  return lists.length > 1 ? [`\`${path}\` has two suppression lists: one may have \`isSuppressionList\``] : [];
});

const stage: Rule = both(port('a message stage', ['apply']), (path, value) => {
  const { isSignature, isImmediate } = value as { isSignature?: unknown; isImmediate?: unknown };
  return [
    ...(isSignature === undefined ? [] : flag(`${path}.isSignature`, isSignature)),
    ...(isImmediate === undefined ? [] : flag(`${path}.isImmediate`, isImmediate)),
  ];
});

const stages: Rule = both(list(stage), (path, value) => {
  const signatures = (value as readonly { isSignature?: unknown }[]).filter(({ isSignature: is }) => is === true);
  return signatures.length > 1 ? [`\`${path}\` has two signatures: one may have \`isSignature\``] : [];
});

const alarmSource: Rule = both(port('a source of alarms', ['active']), (path, value) =>
  list(text)(`${path}.codes`, (value as { codes?: unknown }).codes),
);
const recipients = whole(0, Number.MAX_SAFE_INTEGER);
const quotaLimit: Rule = (path, value) => (typeof value === 'function' ? [] : recipients(path, value));

const OPTIONS: Rules<EmailsOptions> = {
  accountResolver: accountResolverRule,
  transport,
  transports,
  routeChooser: port('a route chooser', ['choose']),
  topicPolicy: port('a topic policy', ['exists', 'decide']),
  recipientPolicies: policies,
  senderPolicies: list(port('a sender policy', ['decide'])),
  messageStages: stages,
  messageSigners: list(port('a message signer', ['signs'])),
  dkim: oneOf('relay'),
  recipientsPerMessage: oneOf('all', 1, 'topics'),
  domainDirectory: port('a domain directory', ['nameOf', 'returnPathOf']),
  contentOwners: list(port('a content owner', ['keeps'])),
  personErasers: list(port('a person eraser', ['erase'])),
  templateSource: port('a template source', ['find']),
  unsubscribeLinks: port('a source of unsubscribe links', ['linkOf', 'optOut']),
  unsubscribeMailbox: port('an unsubscribe mailbox', ['addressOf']),
  attachmentStorage: port('an attachment storage', ['put', 'get'], ['getFrom']),
  eventListeners: list(port('an event listener', ['onEvents'])),
  eventSubscriptions: subscriptions,
  observers: list(port('an observer', [], ['accepted', 'attempted', 'failed'])),
  healthChecks: list(port('a health check', ['check'])),
  metrics: list(port('a source of metrics', ['gauges'])),
  onAlarm: callback,
  alarmSources: list(alarmSource),
  requireContent: flag,
  search: flag,
  quota: group<Group<'quota'>>({ perDay: quotaLimit, perMonth: quotaLimit }),
  http: group<Group<'http'>>({
    bodyLimit: bytes(1, LARGEST_BODY),
    messageLimit: bytes(1, LARGEST_BODY),
  }),
  fetch: group<Group<'fetch'>>({
    ports: list(whole(1, 65_535)),
    timeout: milliseconds(1, LONGEST_TIMER),
    requestTimeout: milliseconds(1, LONGEST_TIMER),
    allowedHosts: list(text),
  }),
  secretKeys: list(secret),
  publicUrl: webAddress,
  links: group<Group<'links'>>({ lifetime: milliseconds(60_000, 7 * DAY) }),
  preparedStatements: flag,
  idempotency: group<Group<'idempotency'>>({ retention: milliseconds(1, LONGEST_AGE) }),
  retention: group<Group<'retention'>>({
    content: milliseconds(1, LONGEST_AGE),
    events: milliseconds(1, LONGEST_AGE),
  }),
  delivery: group<Group<'delivery'>>({
    concurrency: whole(1, MOST_AT_ONCE),
    accountWeight: callback,
    destinationConcurrency: whole(1, MOST_AT_ONCE),
    retrySchedule: list(milliseconds(1, LONGEST_AGE)),
    onUnknown: oneOf('retry', 'hold'),
    // A shorter lease could run out while PostgreSQL is asked to renew it.
    lease: milliseconds(1_000, DAY),
    sweepInterval: milliseconds(1, DAY),
    shutdownTimeout: milliseconds(0, LONGEST_TIMER),
    ...STAGING_RULES,
  }),
};

const EXTRAS: Rules<EmailsModuleExtras> = {
  features: featuresRule,
  guards: guardsRule,
  imports: list(anything),
  role: oneOf('all', 'api', 'worker'),
  routes: flag,
  queueShards: whole(1, 64),
  queueConfigKey: text,
  isGlobal: flag,
  dataSource: text,
};

/** Required options depend on the role of the process. */
export function emailsRules({
  role,
  routes,
  ...extras
}: EmailsModuleExtras): ModuleRules<EmailsOptions, EmailsModuleExtras> {
  const servesHttp = hasRoutes(role, routes);
  const features = listOf(extras.features);
  const delivers = role !== 'api';
  return {
    module: 'EmailsModule',
    token: EMAILS_OPTIONS,
    options: {
      ...OPTIONS,
      ...(needResolver(features, role, routes) && { accountResolver: requiredAccountResolver }),
      ...(delivers && {
        transport: required(transport, NEEDED, 'transports'),
      }),
      ...broughtRules(['accountResolver', ...SINGLE_PORTS], features),
    },
    extras: { ...EXTRAS, ...(servesHttp && guardsOf(features).length === 0 && { guards: requiredGuards }) },
  };
}

/**
 * @param others further rules, and some in place of others
 * @throws Error that names every option that is wrong and says what would be right
 */
export function checkOptions(owner: string, options: object, others: Readonly<Record<string, Rule>> = {}): void {
  refuse(owner, problemsOf({ ...OPTIONS, ...others }, { ...options }));
}
