/**
 * `npm run bench`: starts all servers, measures every side of a comparison in turn, in three rounds, and prints medians
 * and ratios as a table and as JSON.
 *
 * --only NAME[,NAME] these rows --short all guarded rows, held against test/bench/recorded.json: each until one of five
 * rounds holds --seconds N as many guarded rows as fit into N seconds, with less work per round (CI passes 60): rows of
 * changed code first, then others by the seed. Repeats may take three times as long --seed N repeats the choice of an
 * earlier `--seconds` (default: random) --long grow to ten million stored emails instead of one --rounds N instead of
 * three, or five --tiny next to no work: does it run at all --write renews these rows in test/bench/recorded.json,
 * docs/bench.md, its drawings and README.md
 *
 * Environment: `BENCH_NODE_ARGS`, arguments of Node for our host, such as `--cpu-prof`.
 */
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Random } from '../support/basics/random.js';
import { changedFiles } from './guard/changed-files.js';
import { chooseRows, describeChoice, type GuardedRow, isGuarded } from './guard/choose.js';
import { untilHeld } from './guard/until-held.js';
import { readOptions } from './options.js';
import { type Finding, summarizeRow } from './report/finding.js';
import { brief, losses, record } from './report/recorded.js';
import { table } from './report/table.js';
import { write } from './report/write.js';
import { rows } from './rows/index.js';
import type { Figures, Row } from './rows/row.js';
import { Stage } from './support/stage.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Limit of a run with repeats, as a multiple of `--seconds`. */
const LONGEST = 3;

const options = readOptions(process.argv.slice(2));
const chosen = choose();
/** CI may have neighbours. */
const busy = options.seconds !== undefined;

function choose(): readonly Row[] {
  const { only, short, seconds } = options;
  const named = only ? rows.filter(({ name }) => only.includes(name)) : rows;
  if (named.length === 0) throw new Error(`--only takes ${rows.map(({ name }) => name).join(', ')}.`);
  if (seconds !== undefined) return chooseFitting(named.filter(isGuarded), seconds);
  return short && !only ? named.filter(isGuarded) : named;
}

/** Prints which rows and why. */
function chooseFitting(guarded: readonly (Row & GuardedRow)[], seconds: number): Row[] {
  const changed = changedFiles(ROOT);
  const choice = chooseRows(guarded, changed, new Random(options.seed), seconds);
  const { chosen: fitting } = choice;
  if (fitting.length === 0) throw new Error(`No guarded row fits into ${seconds} s.`);
  process.stderr.write(
    `Seed ${options.seed}, ${seconds} s, ${changed.length} changed files. ${describeChoice(choice)}\n`,
  );
  return fitting.map(({ row }) => row);
}

// Started programs end with this process.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const stage = await Stage.set();
const findings = await (options.guards ? guard() : measureAll()).finally(() => stage.end());

function guard(): Promise<Finding[]> {
  const holds = (finding: Finding) => losses([finding], busy).length === 0;
  const deadline = (options.seconds ?? Number.POSITIVE_INFINITY) * LONGEST * 1_000;
  return untilHeld(chosen, measure, holds, { rounds: options.rounds, deadline });
}

async function measureAll(): Promise<Finding[]> {
  const all: Finding[] = [];
  for (const row of chosen) {
    const figures: Figures[] = [];
    while (figures.length < (row.once ? 1 : options.rounds)) figures.push(await measure(row, figures.length));
    all.push(summarizeRow(row, figures));
  }
  return all;
}

async function measure(row: Row, round: number): Promise<Figures> {
  process.stderr.write(`${row.name} ${round + 1} begins, row ${chosen.indexOf(row) + 1} of ${chosen.length}\n`);
  const began = performance.now();
  const figures = await row.round(stage, options.scale, round);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stderr.write(`${row.name} ${round + 1}, ${seconds} s: ${JSON.stringify(figures, brief)}\n`);
  return figures;
}

console.log(table(findings));
console.log(JSON.stringify(findings, brief));
if (options.write) {
  const names = rows.map(({ name }) => name);
  write(record(findings, names));
}
if (options.guards) {
  for (const loss of losses(findings, busy)) {
    process.exitCode = 1;
    console.error(loss);
  }
}
process.exit();
