/**
 * What a stranger does: packs nothing but what is published, installs it beside fresh versions of everything else, and
 * compiles the minimal host against it, and the full one. `TEST_MINIMAL_HOST` and `TEST_FULL_HOST` are where;
 * `TEST_INSTALL_LOG` what npm said of it.
 */
import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTempFolder } from '../basics/temp-folder.mjs';

const LIBRARY = fileURLToPath(new URL('../../../libs/emails', import.meta.url));
const HOSTS = fileURLToPath(new URL('../../hosts', import.meta.url));

/** What npm tells the scripts that it runs would lead another npm astray. */
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

export default async function installMinimalHost() {
  const folder = makeTempFolder('emails-test-package-');
  const { stdout } = await npm(LIBRARY, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout);
  const host = join(folder, 'host');
  const full = join(folder, 'full');
  await copyHost('minimal', host);
  const { stderr } = await npm(
    host,
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(folder, packed.filename),
  );
  await npm(host, 'run', 'build');
  await copyHost('full', full);
  // What it depends on is among what the minimal host depends on.
  await symlink(join(host, 'node_modules'), join(full, 'node_modules'));
  await npm(full, 'run', 'build');
  process.env.TEST_MINIMAL_HOST = host;
  process.env.TEST_FULL_HOST = full;
  process.env.TEST_PACKED_FILES = JSON.stringify(packed.files.map(({ path }) => path));
  process.env.TEST_INSTALL_LOG = stderr;
}
