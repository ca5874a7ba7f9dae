/**
 * `npm run test:mutations [-- WORD…]`: takes the guards of SECURITY.md, or those with a word in their name, out of the
 * source, one after the other, and sees to it that the test that is named there fails. `--table` writes the list into
 * SECURITY.md instead. The source is as it was when this ends.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit, Guard } from './guard.js';
import { threats } from './guards/index.js';
import { guardTable } from './table.js';

interface JestReport {
  testResults: { message: string; assertionResults: { title: string; status: string }[] }[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MARK = '<!-- guards -->\n';
/** What `it.each` puts values into. */
const PLACES = /%[sdjp]/g;

const folder = mkdtempSync(join(tmpdir(), 'emails-mutations-'));
/** Files that are changed at the moment, and how they were. */
const originals = new Map<string, string>();

function take([file, find, replace]: Edit): void {
  const path = join(ROOT, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${file} does not have this exactly once: ${find}`);
  if (!originals.has(path)) originals.set(path, text);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}

function restore(): void {
  for (const [path, text] of originals) writeFileSync(path, text);
  originals.clear();
}

/** Without a look at its outcome: what takes a guard out may leave something unused, and is built all the same. */
function build(): void {
  spawnSync('npx', ['tsc', '-b'], { cwd: ROOT, stdio: 'ignore' });
}

/** What became of the named test: how many of it failed, and how many did not. */
function run({ suite, test }: Guard): { failed: number; passed: number } {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const project = suite.startsWith('test/e2e/') ? 'e2e postgres' : 'unit';
  const pattern = test
    .split(PLACES)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const filters = ['-t', pattern, '--json', `--outputFile=${report}`, '--', suite.replaceAll('.', '\\.')];
  const args = ['test/support/run-tests.mjs', '--selectProjects', project, '--maxWorkers=1', ...filters];
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  if (!existsSync(report)) return { failed: 0, passed: 0 };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  const named = new RegExp(`^${pattern}$`, 's');
  const results = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title }) => named.test(title));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return { failed: count('failed'), passed: count('passed') };
}

function survives(guard: Guard): boolean {
  try {
    for (const edit of guard.edits) take(edit);
    if (guard.suite.startsWith('test/e2e/')) build();
    const { failed, passed } = run(guard);
    console.log(`${failed > 0 ? 'noticed ' : 'UNSEEN  '} ${guard.guard} (${failed} failed, ${passed} passed)`);
    return failed === 0;
  } finally {
    restore();
  }
}

function writeTable(): void {
  const path = join(ROOT, 'SECURITY.md');
  const [before = '', , after = ''] = readFileSync(path, 'utf8').split(MARK);
  writeFileSync(path, `${before}${MARK}${guardTable(threats)}${MARK}${after}`);
}

function mutate(words: readonly string[]): number {
  const guards = threats.flatMap(({ guards }) => guards);
  const chosen = guards.filter(({ guard }) => words.length === 0 || words.some((word) => guard.includes(word)));
  // A signal ends the child that runs, and this with the source as it was.
  process.on('SIGINT', () => {});
  try {
    const unseen = chosen.filter(survives);
    console.log(`${chosen.length - unseen.length} of ${chosen.length} noticed`);
    return unseen.length === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    build();
  }
}

const words = process.argv.slice(2);
if (words.includes('--table')) writeTable();
else process.exitCode = mutate(words);
