import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterFile } from '../support/basics/cleanup.js';
import { freePort } from '../support/basics/free-port.mjs';
import { PATIENCE } from '../support/basics/patience.mjs';
import { eventually, within } from '../support/basics/wait-for.js';
import { spawnProgram } from '../support/hosts/host-process.js';
import { packageFolder } from '../support/jest/test-environment.js';
import { httpRequest } from '../support/requests/http-request.js';
import { emptyDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const run = promisify(execFile);
const readmeOf = (name: string) => readFileSync(join(packageFolder(), 'node_modules', name, 'README.md'), 'utf8');
const readme = readmeOf('nestjs-emails');
const folder = join(packageFolder(), 'readme');

const blocks = (page: string) => [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code ?? '');
const own = blocks(readme);

/** Values in the page that a test must replace. */
async function elsewhere(): Promise<{ sink: SmtpSink; url: string; moved: (code: string) => string }> {
  const [sink, database, port] = await Promise.all([SmtpSink.start(), emptyDatabase(), freePort()]);
  const moved = (code: string) =>
    code
      .replace('postgres://app:app@localhost:5433/app', database.url)
      .replace('smtp://localhost:2525', sink.url)
      .replace('listen(3000)', `listen(${port}, '127.0.0.1')`);
  return { sink, url: `http://127.0.0.1:${port}`, moved };
}

/** A folder with all installed packages except this one. Node resolves it with `--preserve-symlinks`. */
function installedWithout(name: string): string {
  const without = join(packageFolder(), '..', `without-${name}`);
  mkdirSync(join(without, 'node_modules'), { recursive: true });
  writeFileSync(join(without, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const entry of readdirSync(join(packageFolder(), 'node_modules'))) {
    if (entry === name) continue;
    symlinkSync(join(packageFolder(), 'node_modules', entry), join(without, 'node_modules', entry));
  }
  return without;
}

beforeAll(async () => {
  mkdirSync(folder);
  const all = [...own, ...blocks(readmeOf('nestjs-emails-dashboard'))];
  for (const [index, code] of all.entries()) writeFileSync(join(folder, `${index}.ts`), code);
  const options = /^npx tsc app\.ts (.*)$/m.exec(readme)?.[1]?.split(' ') ?? [];
  expect(options).toContain('--experimentalDecorators');
  const files = all.map((_, index) => `${index}.ts`);
  const compiler = join(packageFolder(), 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '--ignoreConfig', ...files, ...options], { cwd: folder }).catch(
    ({ stdout }) => {
      throw new Error(stdout);
    },
  );
});

describe("the package's README", () => {
  it('shows the smallest host of the repository', () => {
    const smallest = new URL('../hosts/smallest/app.ts', import.meta.url);
    expect(own[0]).toBe(readFileSync(smallest, 'utf8'));
  });

  it('leads to a delivered email', async () => {
    const { sink, url, moved } = await elsewhere();
    writeFileSync(join(folder, 'app.js'), moved(readFileSync(join(folder, '0.js'), 'utf8')));
    const app = spawnProgram(join(folder, 'app.js'), [], {});
    afterFile(() => app.stop('SIGTERM'));
    const body = /--json '(.*)'/.exec(readme)?.[1];
    const { body: sent } = await eventually(() => httpRequest<{ id: string }>(url, 'POST', '/emails', { body }));
    await sink.waitFor(({ raw }) => raw.includes(`<${sent.id}@`));
  });

  it('with its line for Redis and without `ioredis`, ends the start with the package to install', async () => {
    const { moved } = await elsewhere();
    const file = join(installedWithout('ioredis'), 'app.js');
    const onRedis = moved(readFileSync(join(folder, '0.js'), 'utf8'))
      .replace(/^setDefaultBackendFactory.*$/m, '')
      .replace('connection: { connectionString: url }', "connection: { url: 'redis://127.0.0.1:1' }");
    expect(onRedis).toContain('redis://127.0.0.1:1');
    writeFileSync(file, onRedis);
    const app = spawnProgram(file, [], { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' });
    expect(await within(app.exited, PATIENCE, 'The refusal')).not.toBe(0);
    expect(app.output).toContain('Run `npm install ioredis`');
  });

  it('describes a working test setup', async () => {
    const index = own.findIndex((code) => code.includes('EmailsTestingModule.register'));
    expect(index).toBeGreaterThan(0);
    await run(process.execPath, [`${index}.js`], { cwd: folder });
  });
});
