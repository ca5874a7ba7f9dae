import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterFile } from '../basics/cleanup.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A line of a Dockerfile, with its continuation lines. */
export interface Instruction {
  name: string;
  rest: string;
}

/** The stages of the repository's Dockerfile, in order. */
export function readDockerfile(): Instruction[][] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/\\\n\s*/g, ' ');
  const stages: Instruction[][] = [];
  for (const line of text.split('\n').filter((candidate) => candidate.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

/**
 * Executes the Dockerfile without Docker: runs the commands of its build stage in one folder, and copies the image's
 * files to another, which is returned. Both are removed after the test file.
 */
export async function buildWithoutDocker(): Promise<string> {
  const [build = [], image = []] = readDockerfile();
  const folder = makeTempFolder('emails-test-image-');
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [built, result] = [join(folder, 'build'), join(folder, 'image')];
  for (const { name, rest } of build) {
    if (name === 'COPY') await copyFromContext(rest, built);
    if (name === 'RUN') await run(rest.replace(/^--mount=\S+ /, ''), built);
  }
  for (const { name, rest } of image) {
    const [, from = '', to = ''] = /^--from=build \/app\/(\S+) (\S+)$/.exec(rest) ?? [];
    if (name === 'COPY') cpSync(join(built, from), join(result, to, to.endsWith('/') ? from : ''), COPYING);
  }
  return result;
}

/** Links between workspaces keep their targets within the copy. */
const COPYING = { recursive: true, verbatimSymlinks: true };

/** The context consists of Git's files, fewer than `.dockerignore` leaves. */
async function copyFromContext(rest: string, folder: string): Promise<void> {
  const words = rest.split(' ');
  const to = words.pop() ?? '';
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
    },
  );
  const files = words.includes('.') ? stdout.split('\0').filter(Boolean) : words;
  for (const file of files) {
    const target = join(folder, words.includes('.') ? file : join(to, file.slice(file.lastIndexOf('/') + 1)));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, file), target);
  }
}

async function run(command: string, cwd: string): Promise<void> {
  const { PATH, HOME } = process.env;
  // The registry's address and the download folder are those of this machine.
  const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  const env = { PATH, HOME, ...Object.fromEntries(npm) };
  await promisify(execFile)('sh', ['-ec', command], { cwd, env, maxBuffer: 50_000_000 }).catch(({ stdout, stderr }) => {
    throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
  });
}
