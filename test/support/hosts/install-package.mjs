/**
 * A stranger's installation: packs what would be published, installs it next to versions of everything else, and
 * compiles the minimal and the full host against it. `node install-package.mjs GENERATION FOLDER` leaves
 * `installed.json` in the folder when it is done, JSON of `{minimal, full, packages, log}` with the folders of both
 * hosts, the files of each package and npm's output; or `failed.txt` with the error.
 */
import { execFile } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LIBRARIES = ['emails', 'dashboard'].map((name) =>
  fileURLToPath(new URL(`../../../libs/${name}`, import.meta.url)),
);
const HOSTS = fileURLToPath(new URL('../../hosts', import.meta.url));

/** Removes variables that npm sets for its scripts, which would mislead another npm. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(package|lifecycle|config_local_prefix)|INIT_CWD)/.test(name)),
);

async function npm(cwd, ...args) {
  try {
    return await promisify(execFile)('npm', args, { cwd, env });
  } catch (error) {
    throw new Error(`\`npm ${args.join(' ')}\` failed:\n${error.stdout}${error.stderr}`);
  }
}

function copyHost(name, target) {
  const filter = (source) => !/\/(node_modules|dist)$/.test(source);
  return cp(join(HOSTS, name), target, { recursive: true, filter });
}

/** `queue.ts` of a host with BullMQ 5, which supports neither PostgreSQL nor, at first, a Redis URL. */
const QUEUE_OF_BULLMQ_5 = `import { settings } from './settings.js';
function redis({ hostname: host, port, pathname, password }: URL): object {
  return { host, port: Number(port || 6379), db: Number(pathname.slice(1)), ...(password && { password }) };
}
export const connection = settings.redisUrl
  ? redis(new URL(settings.redisUrl))
  : ({ connectionString: settings.databaseUrl } as object);
export async function migrateQueue(): Promise<void> {}
`;

/** Gives a host the versions of `test/hosts/generations.json`, and no others. */
function asOf(generation, host) {
  const { [generation]: versions } = JSON.parse(readFileSync(join(HOSTS, 'generations.json'), 'utf8'));
  if (!versions) return;
  const file = join(host, 'package.json');
  const { 'nestjs-emails': _, ...described } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...described, ...versions }));
  if (/^\D*5\./.test(versions.dependencies.bullmq)) writeFileSync(join(host, 'src/queue.ts'), QUEUE_OF_BULLMQ_5);
}

/** Dependencies of a host that another one has not. */
function furtherOf(host, other) {
  const [wanted, there] = [host, other].map((name) => {
    const { dependencies } = JSON.parse(readFileSync(join(HOSTS, name, 'package.json'), 'utf8'));
    return dependencies;
  });
  return Object.entries(wanted)
    .filter(([name]) => !(name in there) && !name.startsWith('nestjs-emails'))
    .map(([name, range]) => `${name}@${range}`);
}

async function install(generation, folder) {
  const packed = await Promise.all(
    LIBRARIES.map(async (library) => {
      const { stdout } = await npm(library, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
      return JSON.parse(stdout)[0];
    }),
  );
  const [minimal, full] = [join(folder, 'host'), join(folder, 'full')];
  for (const [name, host] of Object.entries({ minimal, full })) {
    await copyHost(name, host);
    asOf(generation, host);
  }
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
  const archives = packed.map(({ filename }) => join(folder, filename));
  const { stderr } = await npm(minimal, 'install', ...quietly, ...archives, ...furtherOf('full', 'minimal'));
  await symlink(join(minimal, 'node_modules'), join(full, 'node_modules'));
  await Promise.all([npm(minimal, 'run', 'build'), npm(full, 'run', 'build')]);
  const packages = Object.fromEntries(packed.map(({ name, files }) => [name, files]));
  return { minimal, full, packages, log: stderr };
}

/** Writes a file that no reader sees before it is complete. */
function leave(folder, name, text) {
  const draft = join(folder, `${name}.draft`);
  writeFileSync(draft, text);
  renameSync(draft, join(folder, name));
}

const [generation, folder] = process.argv.slice(2);
try {
  leave(folder, 'installed.json', JSON.stringify(await install(generation, folder)));
} catch (error) {
  leave(folder, 'failed.txt', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
