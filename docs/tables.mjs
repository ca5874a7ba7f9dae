/**
 * `npm run tables`: the tables of the documentation, held against those in the code and the figures of the bench;
 * `-- --write` renews them. A table stands between `<!-- table:NAME -->` and `<!-- /table:NAME -->`. Reads what was built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as facts from 'nestjs-emails/facts';
import { ENVIRONMENT_ROWS } from '../apps/host/dist/config/environment-table.js';
import { HTTP_LIMITS } from '../apps/host/dist/http/limits.js';
import { SERIES } from '../apps/host/dist/operations/metrics/series.js';
import { PAGE_LIMITS } from '../libs/dashboard/dist/limits.js';
import { FEATURES, SCREEN_ROWS } from '../libs/dashboard/dist/screens.js';
import { bytesTable, coresTable, millionTable, needsTable, timesTable, unitsOf } from './scale-figures.mjs';

const code = (value) => `\`${value}\``;
const listed = (values) => values.map(code).join(', ');

/** Rows of cells → Markdown. */
function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function errors() {
  const rows = Object.entries(facts.API_ERRORS).flatMap(([name, whens]) =>
    Object.entries(whens).map(([status, when]) => ({ status: Number(status), name, when })),
  );
  const headers = (status, name) => [
    ...(facts.HEADERS_OF_ERRORS[status] ?? []),
    ...(facts.HEADERS_OF_NAMES[name] ?? []),
  ];
  return table(
    ['status', 'name', 'when', 'headers'],
    rows
      .sort((one, other) => one.status - other.status)
      .map(({ status, name, when }) => [status, code(name), when, listed(headers(status, name))]),
  );
}

const states = () =>
  table(
    ['state', 'meaning', 'rank', 'terminal'],
    Object.entries(facts.EMAIL_STATES).map(([state, { meaning, rank, terminal }]) => [
      code(state),
      meaning,
      rank,
      terminal ? 'yes' : '',
    ]),
  );

const roles = () =>
  table(
    ['role', 'in addition to the one above'],
    Object.entries(facts.PAGE_ROLES).map(([role, may]) => [code(role), may]),
  );

const UNITS = [
  [1_000_000, 'MB'],
  [1_000, 'kB'],
];
const TIMES = [
  [60_000, 'min'],
  [1_000, 's'],
];
const inUnits = (value, units, rest) => {
  const [size, name] = units.find(([least]) => value >= least && (value / least) % 0.5 === 0) ?? [1, rest];
  return `${(value / size).toLocaleString('en')} ${name}`;
};

function amount({ max, unit }) {
  if (unit === 'bytes') return inUnits(max, UNITS, 'bytes');
  if (unit === 'bytes a second') return `${inUnits(max, UNITS, 'bytes')} a second`;
  if (unit === 'milliseconds') return inUnits(max, TIMES, 'ms');
  return `${max.toLocaleString('en')}${unit === 'in number' ? '' : ` ${unit}`}`;
}

function limits() {
  const all = [
    HTTP_LIMITS,
    facts.LIMITS,
    facts.EMAIL_LIMITS,
    facts.ACCESS_LIMITS,
    facts.AUDIENCE_LIMITS,
    facts.DOMAIN_LIMITS,
    facts.FEEDBACK_LIMITS,
    facts.TEMPLATE_LIMITS,
    facts.WEBHOOK_LIMITS,
    PAGE_LIMITS,
  ];
  return table(
    ['of', 'at most', 'beyond'],
    all.flatMap((group) => Object.values(group).map((limit) => [limit.of, amount(limit), limit.beyond ?? '422'])),
  );
}

const metrics = () =>
  table(
    ['metric', 'counts'],
    Object.entries(facts.EMAIL_METRICS).map(([name, { meaning }]) => [code(name), meaning]),
  );

const webhookEvents = () =>
  table(
    ['of', '`events`'],
    Object.entries(facts.WEBHOOK_EVENTS).map(([group, types]) => [group.toLowerCase(), listed(types)]),
  );

const actions = () =>
  table(
    ['`action`', 'what happened'],
    Object.entries(facts.ACTIONS).map(([name, meaning]) => [code(name), meaning]),
  );

const alarms = () =>
  table(
    ['`code`', '`subject`', 'begins when', 'ends when'],
    Object.entries(facts.ALARM_CODES).map(([name, { subject, begins, ends }]) => [code(name), subject, begins, ends]),
  );

const advice = () =>
  table(
    ['`code`', '`text`'],
    Object.entries(facts.ADVICE).map(([name, text]) => [code(name), text.replace(/\{\w+\}/g, '…')]),
  );

const environment = () =>
  table(
    ['variable', 'format', 'default', 'what it does'],
    ENVIRONMENT_ROWS.map(([name, { expected, default: value, unset, does }]) => [
      code(name),
      expected,
      unset ?? code(value),
      does,
    ]),
  );

const series = () =>
  table(
    ['series', 'kind', 'labels', 'what it says'],
    Object.entries(SERIES).map(([name, { kind, labels = {}, help }]) => [
      code(name),
      kind,
      Object.entries(labels)
        .map(([label, values]) => code(label) + (values.length > 0 ? `: ${listed(values)}` : ''))
        .join('; '),
      help,
    ]),
  );

const screens = () =>
  table(
    ['screen', 'at', 'shows', 'is there with'],
    SCREEN_ROWS.map(([, { title, path, shows, feature }]) => {
      const route = FEATURES[feature];
      return [title, code(path), shows, route ? `the routes ${code(route)}` : `${code(feature)} of the options`];
    }),
  );

const recorded = () => JSON.parse(readFileSync(new URL('../test/bench/recorded.json', import.meta.url), 'utf8'));
const computed = (make) => () => table(...make(unitsOf(recorded())));

/** By name, with the page that has it. */
const TABLES = {
  errors: ['docs/contract.md', errors],
  metrics: ['docs/contract.md', metrics],
  states: ['docs/contract.md', states],
  roles: ['docs/contract.md', roles],
  limits: ['docs/contract.md', limits],
  actions: ['docs/contract.md', actions],
  'webhook-events': ['docs/contract.md', webhookEvents],
  advice: ['docs/contract.md', advice],
  alarms: ['docs/operating.md', alarms],
  environment: ['docs/operating.md', environment],
  series: ['docs/operating.md', series],
  screens: ['libs/dashboard/README.md', screens],
  'scale-times': ['docs/scale.md', computed(timesTable)],
  'scale-bytes': ['docs/scale.md', computed(bytesTable)],
  'scale-needs': ['docs/scale.md', computed(needsTable)],
  'scale-cores': ['docs/scale.md', computed(coresTable)],
  'scale-million': ['docs/scale.md', computed(millionTable)],
};

const write = process.argv.includes('--write');
for (const [name, [page, make]] of Object.entries(TABLES)) {
  const path = new URL(`../${page}`, import.meta.url);
  const text = readFileSync(path, 'utf8');
  const [start, end] = [`<!-- table:${name} -->`, `<!-- /table:${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for a table: ${start} … ${end}.`);
  const renewed = `${text.slice(0, from)}${start}\n${make()}\n${text.slice(to)}`;
  if (renewed === text) continue;
  if (write) writeFileSync(path, renewed);
  else {
    process.stderr.write(`The table ${name} of ${page} is not what the code or the bench says.\n`);
    process.exitCode = 1;
  }
}
if (process.exitCode) process.stderr.write('Run `npm run tables -- --write`.\n');
