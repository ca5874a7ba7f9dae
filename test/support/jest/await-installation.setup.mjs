import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Timeout from its start, several times the need of a slow machine for installation and compilation. Milliseconds. */
const LIMIT = 15 * 60_000;

const folder = JSON.parse(process.env.TEST_PACKAGE_HOSTS)[globalThis.__GENERATION__];
const [installed, failed] = ['installed.json', 'failed.txt'].map((name) => join(folder, name));

for (const deadline = statSync(join(folder, 'errors.log')).mtimeMs + LIMIT; !existsSync(installed); await delay(100)) {
  if (existsSync(failed)) throw new Error(`The stranger's hosts were not installed: ${readFileSync(failed, 'utf8')}`);
  if (Date.now() > deadline)
    throw new Error(`The stranger's hosts were not installed within ${LIMIT / 60_000} minutes.`);
}
