/** `node --import ./test/support/typescript.mjs test/fuzz/main.ts smtp|caller [--seed N] [--seconds N]`, after a build. */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUpAfterFile } from '../support/basics/cleanup.js';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { endTied } from '../support/basics/tied-children.mjs';
import { wholeNumber } from '../support/basics/whole-number.js';
import { startPostgresServer } from '../support/servers/postgres-server.mjs';
import type { Extent } from './extent.js';

const USAGE = `main.ts smtp|caller [options]
  --seed N       repeat the decisions of an earlier run
  --seconds N    how long; default: 600`;

const FUZZERS: Record<string, () => Promise<(extent: Extent) => Promise<string[]>>> = {
  smtp: async () => (await import('./smtp/fuzz-smtp.js')).fuzzSmtp,
  caller: async () => (await import('./caller/fuzz-caller.js')).fuzzCaller,
};

process.exit(await main());

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  const { name, load, seed, seconds } = options;
  console.log(`Seed ${seed}, ${seconds} s of random ${name}.`);
  const folder = makeTempFolder('emails-fuzz-');
  const postgres = await startPostgresServer(join(folder, 'postgres'), { fsync: false });
  const giveUp = async () => {
    endTied();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void giveUp());
  let found: string[];
  try {
    await prepare(folder, postgres.url);
    const fuzz = await load();
    found = await fuzz({ seed, seconds, say: (text) => console.log(text) });
  } finally {
    await cleanUpAfterFile().catch((error: unknown) => console.error(error));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  for (const text of found) console.log(`VIOLATED  ${text}`);
  console.log(found.length > 0 ? `${found.length} violations. Repeat with --seed ${seed}.` : 'Every promise was kept.');
  return found.length > 0 ? 1 : 0;
}

/** Servers that `run-tests.mjs` prepares for suites. */
async function prepare(folder: string, databaseUrl: string): Promise<void> {
  const openApi = join(folder, 'openapi.json');
  const { openApiDocument } = await import(new URL('../../apps/host/dist/openapi/document.js', import.meta.url).href);
  writeFileSync(openApi, JSON.stringify(openApiDocument));
  const run = {
    TEST_RUN_ID: randomBytes(4).toString('hex'),
    TEST_DATABASE_URL: databaseUrl,
    TEST_OPENAPI_FILE: openApi,
  };
  Object.assign(process.env, run, { TMPDIR: folder });
  Object.assign(globalThis, { __QUEUE_KIND__: 'postgres' });
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, seconds: { type: 'string', default: '600' } },
  });
  const [name = '', ...others] = positionals;
  const load = FUZZERS[name];
  if (!load || others.length > 0) throw new Error(`Name one of ${Object.keys(FUZZERS).join(', ')}.`);
  const seconds = wholeNumber('seconds', values.seconds) ?? 600;
  const seed = wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1_000_000_000);
  return { name, load, seconds, seed };
}
