import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The newest version, and its required Node; the tests may run on an older one. */
const VERSION = '2.21.0';
const NODE = 22;
/** Cached between runs, separate from the packages of this repository. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/resend-cli', import.meta.url));

/** Resend's command line: the Node that runs it, and its script. */
export interface ResendCli {
  node: string;
  script: string;
}

/** The newest, in a separate folder with npm's binary of Node. Installed at the first use. */
export async function newestCli(): Promise<ResendCli> {
  const binary = `node-${process.platform}-${process.arch}`;
  const modules = join(FOLDER, 'node_modules');
  if (versionIn(join(modules, 'resend-cli')) !== VERSION || !existsSync(join(modules, binary))) {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'];
    const packages = [`${binary}@${NODE}`, `resend-cli@${VERSION}`];
    await promisify(execFile)('npm', ['install', '--prefix', FOLDER, ...quiet, ...packages]);
  }
  return { node: join(modules, binary, 'bin', 'node'), script: join(modules, 'resend-cli', 'dist', 'cli.cjs') };
}

/** The last one for Node 20, a dependency of the tests. */
export function lowestCli(): ResendCli {
  const script = fileURLToPath(new URL('../../../node_modules/resend-cli/dist/cli.cjs', import.meta.url));
  return { node: process.execPath, script };
}

function versionIn(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}
