/**
 * The command of `npm test`: starts one PostgreSQL and one Redis for all suites, runs jest with the arguments given,
 * stops everything and prints the totals as the last line.
 *
 * Environment: `TEST_DATABASE_URL` (an administrator's URL; default: the embedded server), `REDIS_URL` (default: a
 * `redis-server` or `valkey-server` from PATH; without either the Redis project is skipped, and in CI that is a
 * failure). A `pgbouncer` from PATH is used likewise, and suites named `.pgbouncer` are skipped without it; the same
 * holds for a Chromium (`TEST_CHROMIUM`, or one from PATH) and the tests of the page, for the programs that judge mail and
 * suites named `.judges`, and for `promtool` and suites named `.promtool`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempFolder } from './basics/temp-folder.mjs';
import { dropDatabases, startPostgresServer } from './servers/postgres-server.mjs';
import { releaseRedisDatabases } from './servers/redis-databases.mjs';
import { findProgram, findRedisServer, startRedisServer } from './servers/redis-server.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout of a run, several times the need of a slow machine. */
const RUN_LIMIT = 75 * 60_000;
const CLEANUP_LIMIT = 120_000;

const runId = randomBytes(4).toString('hex');
const folder = makeTempFolder();
const totalsFile = join(folder, 'totals.json');
const openApiFile = join(folder, 'openapi.json');

let jest;
let redis;
let postgres;
let interrupted;

/** Jest has a separate process group, so that remaining processes of its suites end with it. */
function killJestGroup() {
  if (!jest?.pid) return;
  try {
    process.kill(-jest.pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

async function findRedis() {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  const program = findRedisServer();
  if (program) {
    redis = await startRedisServer({ folder: join(folder, 'redis'), program });
    return redis.url;
  }
  if (process.env.CI === 'true') {
    throw new Error('CI needs Redis for the second half of the suites: set REDIS_URL or install redis-server.');
  }
  console.log(
    'No REDIS_URL and no redis-server or valkey-server on PATH: the suites run on the PostgreSQL queue only.',
  );
  return undefined;
}

function findPgbouncer() {
  // Debian installs it in a directory of root's PATH.
  const program = findProgram('pgbouncer') ?? (existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : undefined);
  if (!program && process.env.CI === 'true') throw new Error('CI needs pgbouncer: install it.');
  if (!program) console.log('No pgbouncer on PATH: tests behind a pooler are skipped.');
  return program;
}

/** Its master runs as root alone. */
function findPostfix() {
  const program = findProgram('postfix') ?? (existsSync('/usr/sbin/postfix') ? '/usr/sbin/postfix' : undefined);
  if (program && process.getuid?.() === 0) return program;
  if (!program && process.env.CI === 'true') throw new Error('CI needs postfix: install it.');
  console.log('No postfix on PATH, or not root: tests with a real relay are skipped.');
  return undefined;
}

/** Verifiers and filters of mail that are written in other languages. The system's Python has the system's packages. */
function findJudges() {
  const missing = ['opendkim', 'spamassassin', 'rspamd'].filter((name) => !findProgram(name));
  if (spawnSync('/usr/bin/python3', ['-c', 'import dkim, nacl']).status !== 0) missing.push('python3-dkim');
  if (missing.length === 0) return 'true';
  if (process.env.CI === 'true') throw new Error(`CI needs judges of mail: install ${missing.join(', ')}.`);
  console.log(`Without ${missing.join(', ')} the tests of signatures by other programs are skipped.`);
  return undefined;
}

function findPromtool() {
  const program = findProgram('promtool');
  if (!program && process.env.CI === 'true') throw new Error('CI needs promtool: install prometheus.');
  if (!program) console.log('No promtool on PATH: tests of the alert rules are skipped.');
  return program;
}

function findChromium() {
  const program =
    process.env.TEST_CHROMIUM || findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (!program && process.env.CI === 'true') throw new Error('CI needs a Chromium: install chromium.');
  if (!program) console.log('No TEST_CHROMIUM and no chromium or chrome on PATH: tests of the page are skipped.');
  return program;
}

/** The given ones are set, the others empty. */
function optional(variables) {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? '']));
}

async function findPostgres() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  postgres = await startPostgresServer(join(folder, 'postgres'), { fsync: false });
  return postgres.url;
}

async function runJest(databaseUrl, redisUrl) {
  const env = { ...process.env, TEST_RUN_ID: runId, TEST_DATABASE_URL: databaseUrl, TEST_TOTALS_FILE: totalsFile };
  // Folders of suites are inside of ours, and deleted with it.
  env.TMPDIR = folder;
  env.TEST_OPENAPI_FILE = openApiFile;
  Object.assign(
    env,
    optional({
      TEST_REDIS_URL: redisUrl,
      TEST_PGBOUNCER: findPgbouncer(),
      TEST_POSTFIX: findPostfix(),
      TEST_JUDGES: findJudges(),
      TEST_PROMTOOL: findPromtool(),
      TEST_CHROMIUM: findChromium(),
    }),
  );
  jest = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
      ...process.argv.slice(2),
    ],
    { cwd: ROOT, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const timer = setTimeout(() => {
    console.error(`The tests did not end within ${RUN_LIMIT / 60_000} minutes and were killed.`);
    killJestGroup();
  }, RUN_LIMIT);
  const [code] = await once(jest, 'exit');
  clearTimeout(timer);
  return code ?? 1;
}

/** The document that every answer of the host is checked against. Jest cannot load it, because it imports Nest. */
async function writeOpenApi() {
  const { openApiDocument } = await import('../../apps/host/dist/openapi/document.js');
  writeFileSync(openApiFile, JSON.stringify(openApiDocument));
}

async function cleanUp() {
  killJestGroup();
  if (process.env.TEST_DATABASE_URL) await dropDatabases(process.env.TEST_DATABASE_URL, `emails_test_${runId}_`);
  if (process.env.REDIS_URL) await releaseRedisDatabases(process.env.REDIS_URL, runId);
  await Promise.all([redis?.stop(), postgres?.stop()]);
}

function readTotals() {
  const none = { passed: 0, failed: 0, skipped: 0 };
  return existsSync(totalsFile) ? JSON.parse(readFileSync(totalsFile, 'utf8')) : none;
}

for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
]) {
  process.on(signal, () => {
    interrupted ??= 128 + number;
    killJestGroup();
  });
}
// Applies also when something else ends this process before the cleanup is done.
process.on('exit', () => {
  killJestGroup();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

let code = 1;
try {
  // Sequential: a failure of one must not leave the other half started.
  const redisUrl = await findRedis();
  const databaseUrl = await findPostgres();
  await writeOpenApi();
  if (!interrupted) code = await runJest(databaseUrl, redisUrl);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
setTimeout(() => process.exit(code || 1), CLEANUP_LIMIT).unref();
try {
  await cleanUp();
} catch (error) {
  console.error('Cleaning up after the tests failed:', error);
  code ||= 1;
}
const { passed, failed, skipped } = readTotals();
if (passed + failed === 0 && code === 0) {
  console.error('No test was executed.');
  code = 1;
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(interrupted ?? code);
