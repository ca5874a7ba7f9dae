/**
 * `npm run test:mutations [-- WORD…]`: removes the guards of SECURITY.md, or those with a word in their name, from the
 * source, one after the other, and checks that the named test fails. `--unit` takes only guards with a unit test, `--http`
 * only the others. `--table` writes the list into SECURITY.md instead. The source is restored at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { startPostgresServer } from '../support/servers/postgres-server.mjs';
import { edited } from './edit.js';
import { emit } from './emit.js';
import { type Edit, type Guard, PLACES } from './guard.js';
import { threats } from './guards/index.js';
import { locate, ROOT } from './locate.js';
import { Originals } from './originals.js';
import { guardTable } from './table.js';

interface JestReport {
  testResults: { message: string; assertionResults: { title: string; status: string }[] }[];
}

const MARK = '<!-- guards -->\n';

const originals = new Originals(ROOT);

function change(path: string, text: string): void {
  originals.keep(path, readFileSync(path, 'utf8'));
  writeFileSync(path, text);
}

/** Edits a source, and for a suite over HTTP what the host runs: `tsc -b` takes most of the time of such a guard. */
function take(edit: Edit, isBuilt: boolean): void {
  const { path, after } = edited(edit);
  change(path, after);
  if (!isBuilt) return;
  const emitted = emit(path, after);
  change(emitted.path, emitted.code);
}

/** Time limit of a test that never ends without its guard; a unit test needs little of it. Milliseconds. */
const UNIT_LIMIT = 30_000;

/** Resolves at its end, whatever its outcome. */
async function start(program: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, TEST_DATABASE_URL: postgres.url };
  current = spawn(program, args, { cwd: ROOT, env, stdio: 'ignore' });
  await once(current, 'exit');
}

const isEndToEnd = (suite: string) => locate(suite).startsWith('test/e2e/');

/** Result of the named test: its failed and its other cases. */
async function run({ suite, test }: Guard): Promise<{ failed: number; passed: number }> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const kind = isEndToEnd(suite) ? ['e2e postgres'] : ['unit', `--testTimeout=${UNIT_LIMIT}`];
  const pattern = test
    .split(PLACES)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const filters = ['-t', pattern, '--json', `--outputFile=${report}`, '--', locate(suite).replaceAll('.', '\\.')];
  const args = ['test/support/run-tests.mjs', '--selectProjects', ...kind, '--maxWorkers=1', ...filters];
  await start(process.execPath, ...args);
  if (!existsSync(report)) return { failed: 0, passed: 0 };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  const named = new RegExp(`^${pattern}$`, 's');
  const results = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title }) => named.test(title));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return { failed: count('failed'), passed: count('passed') };
}

async function isUnseen(guard: Guard): Promise<boolean> {
  try {
    for (const edit of guard.edits) take(edit, isEndToEnd(guard.suite));
    const { failed, passed } = await run(guard);
    console.log(`${failed > 0 ? 'noticed ' : 'UNSEEN  '} ${guard.guard} (${failed} failed, ${passed} passed)`);
    return failed === 0;
  } finally {
    originals.restore();
  }
}

function writeTable(): void {
  const path = join(ROOT, 'SECURITY.md');
  const [before = '', , after = ''] = readFileSync(path, 'utf8').split(MARK);
  writeFileSync(path, `${before}${MARK}${guardTable(threats)}${MARK}${after}`);
}

function chosenBy(options: readonly string[], words: readonly string[]): Guard[] {
  const [unit, http] = [options.includes('--unit'), options.includes('--http')];
  return threats
    .flatMap(({ guards }) => guards)
    .filter(({ suite }) => unit === http || isEndToEnd(suite) === http)
    .filter(({ guard }) => words.length === 0 || words.some((word) => guard.includes(word)));
}

async function mutate(chosen: readonly Guard[]): Promise<number> {
  let noticed = 0;
  for (const guard of chosen) {
    if (interrupted) break;
    if (!(await isUnseen(guard))) noticed++;
  }
  console.log(`${noticed} of ${chosen.length} noticed`);
  return noticed === chosen.length && noticed > 0 ? 0 : 1;
}

const given = process.argv.slice(2);
const options = given.filter((text) => text.startsWith('--'));
const words = given.filter((text) => !options.includes(text));
if (options.includes('--table')) {
  writeTable();
  process.exit();
}
for (const path of originals.restore()) console.log(`Put back ${path}, which a run that was killed had changed.`);
const folder = makeTempFolder('emails-mutations-');
const postgres = await startPostgresServer(join(folder, 'postgres'));
let current: ChildProcess | undefined;
let interrupted = false;
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    current?.kill(signal);
  });
}
try {
  process.exitCode = await mutate(chosenBy(options, words));
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
