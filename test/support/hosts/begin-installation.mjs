import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempFolder } from '../basics/temp-folder.mjs';

const PROGRAM = fileURLToPath(new URL('install-package.mjs', import.meta.url));

/**
 * Starts the installation of a stranger's hosts without waiting, so that other projects run meanwhile.
 * `TEST_PACKAGE_HOSTS` names the folder of each generation; `await-installation.setup.mjs` waits for its result.
 *
 * @param generation one of `test/hosts/generations.json`, or `newest`: the versions in the hosts' dependencies
 */
export function beginInstallation(generation) {
  const folder = makeTempFolder('emails-test-package-');
  const log = join(folder, 'errors.log');
  // It belongs to jest's process group and ends with it.
  const child = spawn(process.execPath, [PROGRAM, generation, folder], {
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  child.once('exit', (code, signal) => {
    if (existsSync(join(folder, 'installed.json')) || existsSync(join(folder, 'failed.txt'))) return;
    writeFileSync(join(folder, 'failed.txt'), `It ended with ${code ?? signal}. ${readFileSync(log, 'utf8')}`);
  });
  child.unref();
  const others = JSON.parse(process.env.TEST_PACKAGE_HOSTS ?? '{}');
  process.env.TEST_PACKAGE_HOSTS = JSON.stringify({ ...others, [generation]: folder });
}
