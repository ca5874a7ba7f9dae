/** `npm run test:stryker [-- GROUP…]`: runs StrykerJS on the groups of files.mjs, or on the named ones, one after the other. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { groups } from './files.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const named = process.argv.slice(2);
for (const name of named) if (!(name in groups)) throw new Error(`There is no group ${name}.`);
for (const group of named.length > 0 ? named : Object.keys(groups)) {
  console.log(`\n== ${group}`);
  const { status } = spawnSync('npx', ['--no-install', 'stryker', 'run', 'test/stryker/stryker.config.mjs'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, STRYKER_GROUP: group },
  });
  if (status !== 0) process.exitCode = 1;
}
