import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterFile } from '../support/cleanup.js';
import { findRedisServer } from '../support/redis-server.mjs';
import { makeTempFolder } from '../support/temp-folder.mjs';
import { type Options, readOptions, USAGE } from './options.js';
import { Random } from './random.js';
import { repeat } from './repeat.js';
import { writeReadme } from './report/readme.js';
import { toTables } from './report/tables.js';
import { type Result, runScenario } from './run-scenario.js';
import { scenarios } from './scenarios/index.js';
import type { Scenario } from './scenarios/scenario.js';
import { PostgresService } from './world/postgres-service.js';
import type { QueueKind } from './world/world.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Minutes after which a run is given up: half as long again as it takes on two cores with nothing else to do. */
const LIMIT = { short: 15, long: 120 };

const started = performance.now();
process.exit(await main());

async function main(): Promise<number> {
  const redis = findRedisServer() !== undefined;
  if (!redis && process.env.CI === 'true') return refuse('CI needs redis-server or valkey-server on PATH.');
  if (!existsSync(join(ROOT, 'apps/host/dist/main.js'))) return refuse('Run `npm run build` first.');
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2), redis);
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
  if (!redis) console.log('No redis-server or valkey-server on PATH: the queue in Redis is left out.');
  const { minutes, seed } = options;
  return minutes === 0 ? run(options) : repeat(minutes, seed, (next) => run({ ...options, seed: next }));
}

async function run(options: Options): Promise<number> {
  const { seed, hits, long, queues } = options;
  console.log(`Seed ${seed}, ${hits} hits of each failpoint, queues in ${queues.join(' and ')}.`);
  const folder = makeTempFolder('emails-faults-');
  const limit = long ? LIMIT.long : LIMIT.short;
  const timer = setTimeout(() => abandon(`not over after ${limit} minutes`), limit * 60_000);
  timer.unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abandon(signal));
  let failed = true;
  try {
    const results = await runAll(options, folder);
    const violations = results.flatMap((result) => result.violations);
    const tables = toTables(results, queues);
    console.log(`\n${tables}\n`);
    for (const violation of violations) console.log(`VIOLATED  ${violation}`);
    failed = violations.length > 0;
    if (options.write && !failed) writeReadme(join(ROOT, 'README.md'), tables, options);
    console.log(failed ? `${violations.length} violations. Repeat with --seed ${seed}.` : 'Every promise was kept.');
  } finally {
    clearTimeout(timer);
    await cleanUpAfterFile();
    if (failed) console.log(`Ledgers and logs are in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return failed ? 1 : 0;
}

/** Several scenarios at a time, each in a world of its own; the results in the order of the scenarios. */
async function runAll(options: Options, folder: string): Promise<Result[]> {
  const { queues, only = '', parallel, hits, long, seed } = options;
  const tasks = scenarios
    .filter(({ name }) => name.includes(only))
    .flatMap((scenario) => queues.map((kind) => ({ scenario, kind })))
    .filter(({ scenario, kind }) => scenario.only === undefined || scenario.only === kind);
  const postgres = await PostgresService.start(join(folder, 'postgres'));
  const results: Result[] = [];
  const next = tasks.entries();
  const work = async (): Promise<void> => {
    for (const [index, { scenario, kind }] of next) {
      const random = new Random(`${seed}:${kind}:${scenario.name}`);
      const extent = { hits, factor: long ? 4 : 1 };
      say(scenario, kind, 'begins');
      const stage = { kind, postgres, random, extent, folder: join(folder, `world-${index}`) };
      const result = await runScenario(scenario, stage);
      results[index] = result;
      say(scenario, kind, result.violations.length === 0 ? 'kept every promise' : 'VIOLATED a promise');
      for (const violation of result.violations.slice(0, 5)) console.log(`           ${violation}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, work));
  } finally {
    await postgres.stop();
  }
  return results;
}

function say({ name }: Scenario, kind: QueueKind, what: string): void {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${kind.padEnd(8)}  ${name}: ${what}`);
}

/** Ends at once, with everything that was started. */
function abandon(reason: string): void {
  console.error(`Given up: ${reason}.`);
  void cleanUpAfterFile().finally(() => process.exit(1));
}

function refuse(text: string): number {
  console.error(text);
  return 2;
}

console.log();
