import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterFile } from '../support/basics/cleanup.js';
import { Random } from '../support/basics/random.js';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { endTied } from '../support/basics/tied-children.mjs';
import { within } from '../support/basics/wait-for.js';
import { findRedisServer } from '../support/servers/redis-server.mjs';
import { type Options, readOptions, USAGE } from './options.js';
import { repeat } from './repeat.js';
import { toTables } from './report/tables.js';
import { writeTables } from './report/write-tables.js';
import { type Result, runScenario } from './run-scenario.js';
import { sampleOf, type Task, tasksOf } from './sample.js';
import { scenarios } from './scenarios/index.js';
import { PostgresService } from './world/postgres-service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Minutes after which a run is aborted: several times its duration on two idle cores. */
const LIMIT = { sample: 12, whole: 120, long: 360 };
/** Started programs end at once when a run is aborted; a database may need a moment. Milliseconds. */
const LAST_MOMENT = 30_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const { seed, hits, long, sample, queues } = options;
  console.log(`Seed ${seed}, ${hits} hits of each failpoint, queues in ${queues.join(' and ')}.`);
  const folder = makeTempFolder('emails-faults-');
  const limit = LIMIT[long ? 'long' : sample ? 'sample' : 'whole'];
  const abandon = (reason: string) => void giveUp(`${reason}. Ledgers and logs are in ${folder}`);
  const timer = setTimeout(() => abandon(`not over after ${limit} minutes`), limit * 60_000);
  timer.unref();
  for (const signal of SIGNALS) process.once(signal, abandon);
  let failed = true;
  try {
    const results = await runAll(options, folder);
    const violations = results.flatMap((result) => result.violations);
    const tables = toTables(results, queues);
    console.log(`\n${tables}\n`);
    for (const violation of violations) console.log(`VIOLATED  ${violation}`);
    failed = violations.length > 0;
    if (options.write && !failed) writeTables(join(ROOT, 'docs', 'faults.md'), tables, options);
    const again = `${sample ? '--sample ' : ''}--seed ${seed}`;
    console.log(failed ? `${violations.length} violations. Repeat with ${again}.` : 'Every promise was kept.');
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, abandon);
    await cleanUpAfterFile();
    if (failed) console.log(`Ledgers and logs are in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return failed ? 1 : 0;
}

/**
 * Runs several scenarios at a time, each in its own world, then the measuring ones one by one. The results have the
 * order of the scenarios.
 */
async function runAll(options: Options, folder: string): Promise<Result[]> {
  const { parallel, hits, factor, seed } = options;
  const tasks = choose(options);
  const postgres = await PostgresService.start(join(folder, 'postgres'));
  const results: Result[] = [];
  const underWay = new Set<Task>();
  let over = 0;
  const progress = setInterval(() => {
    say(`${over} of ${tasks.length} over, under way: ${[...underWay].map(nameOf).join('; ')}`);
  }, 60_000);
  const work = async (next: Iterable<[number, Task]>): Promise<void> => {
    for (const [index, task] of next) {
      const { scenario, kind, pipelining, hop } = task;
      const random = new Random(`${seed}:${kind}:${scenario.name}`);
      underWay.add(task);
      const begun = performance.now();
      say(`${nameOf(task)}: begins`);
      const stage = {
        kind,
        pipelining,
        hop,
        postgres,
        random,
        extent: { hits, factor },
        folder: join(folder, `world-${index}`),
      };
      const result = await runScenario(scenario, stage);
      results[index] = result;
      underWay.delete(task);
      over += 1;
      const ending = result.violations.length === 0 ? 'kept every promise' : 'VIOLATED a promise';
      const took = ((performance.now() - begun) / 1_000).toFixed(0);
      say(`${nameOf(task)}: ${ending} in ${took} s, ${over} of ${tasks.length}`);
      for (const violation of result.violations.slice(0, 5)) console.log(`           ${violation}`);
    }
  };
  try {
    const shared = [...tasks.entries()].filter(([, { scenario }]) => !scenario.alone).values();
    await Promise.all(Array.from({ length: parallel }, () => work(shared)));
    await work([...tasks.entries()].filter(([, { scenario }]) => scenario.alone));
  } finally {
    clearInterval(progress);
    await postgres.stop();
  }
  return results;
}

function choose({ queues, only = '', sample, seed }: Options): Task[] {
  const all = tasksOf(
    scenarios.filter(({ name }) => name.includes(only)),
    queues,
  );
  if (!sample) return all;
  const chosen = sampleOf(all, new Random(`${seed}:sample`));
  const left = all.filter((task) => !chosen.includes(task));
  console.log(`A sample: ${chosen.length} of ${all.length}. Left out: ${left.map(nameOf).join('; ') || 'nothing'}.`);
  return chosen;
}

function nameOf({ scenario, kind, pipelining }: Task): string {
  return `${scenario.name} (${kind}${pipelining ? '' : ', no PIPELINING'})`;
}

function say(what: string): void {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${what}`);
}

/** Ends at once, and ends all started programs. Scenarios continue until then, and can start nothing more. */
async function giveUp(reason: string): Promise<never> {
  console.error(`Given up: ${reason}.`);
  endTied();
  await within(cleanUpAfterFile(), LAST_MOMENT, 'Cleaning up').catch((error: unknown) => console.error(error));
  process.exit(1);
}

function refuse(text: string): number {
  console.error(text);
  return 2;
}

console.log();
