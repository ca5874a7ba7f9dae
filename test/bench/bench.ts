/**
 * `npm run bench`: starts everything itself, measures every side of a comparison in turn, three rounds, and prints
 * medians and ratios as a table and as JSON.
 *
 *     --only NAME[,NAME]   these rows
 *     --short              a few rows, held against test/bench/recorded.json (CI): each until one of five rounds holds
 *     --long               grow to ten million stored emails instead of one
 *     --rounds N           instead of three, or five
 *     --tiny               next to no work: does it run at all
 *     --write              renews these rows in test/bench/recorded.json, docs/bench.md, its drawings and README.md
 *
 * Environment: `BENCH_NODE_ARGS`, what Node is told before our host, such as `--cpu-prof`.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { type Finding, summarizeRow } from './report/finding.js';
import { brief, losses, record } from './report/recorded.js';
import { table } from './report/table.js';
import { write } from './report/write.js';
import { rows } from './rows/index.js';
import type { Figures, Scale } from './rows/row.js';
import { Stage } from './support/stage.js';

const FULL: Scale = {
  seconds: 6,
  emails: 15_000,
  distant: 3_000,
  sustained: 20,
  rows: 1_000_000,
  growth: [10_000, 100_000, 1_000_000],
  waiting: 100_000,
};
const LONG: Scale = { ...FULL, growth: [...FULL.growth, 10_000_000] };
const SHORT: Scale = { ...FULL, distant: 1_000 };
const TINY: Scale = {
  seconds: 1,
  emails: 500,
  distant: 200,
  sustained: 2,
  rows: 3_000,
  growth: [3_000],
  waiting: 1_000,
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});

const only = options.only?.split(',');
const chosen = rows.filter(({ name, short }) => (only ? only.includes(name) : !options.short || short));
if (chosen.length === 0) throw new Error(`--only takes ${rows.map(({ name }) => name).join(', ')}.`);

// What was started ends with this process.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Other work on the machine only makes us slower: one round that holds shows that nothing was lost. */
const guards = options.short && !options.write;
const scale = options.tiny ? TINY : options.long ? LONG : guards ? SHORT : FULL;
const rounds = Number(options.rounds ?? (options.tiny ? 1 : guards ? 5 : 3));
const stage = await Stage.set();
const findings: Finding[] = [];
try {
  for (const row of chosen) {
    const figures: Figures[] = [];
    let held: Finding | undefined;
    for (let round = 0; round < (row.once ? 1 : rounds) && held === undefined; round++) {
      process.stderr.write(`${row.name} ${round + 1} begins, row ${findings.length + 1} of ${chosen.length}\n`);
      figures.push(await row.round(stage, scale, round));
      process.stderr.write(`${row.name} ${round + 1}: ${JSON.stringify(figures.at(-1), brief)}\n`);
      const alone = summarizeRow(row, figures.slice(-1));
      if (guards && losses([alone]).length === 0) held = alone;
    }
    findings.push(held ?? summarizeRow(row, figures));
  }
} finally {
  await stage.end();
}

console.log(table(findings));
console.log(JSON.stringify(findings, brief));
if (options.write) {
  const names = rows.map(({ name }) => name);
  write(record(findings, names));
}
if (guards) {
  for (const loss of losses(findings)) {
    process.exitCode = 1;
    console.error(loss);
  }
}
process.exit();
