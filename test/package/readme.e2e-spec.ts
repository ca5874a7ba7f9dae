import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterFile } from '../support/basics/cleanup.js';
import { freePort } from '../support/basics/free-port.mjs';
import { eventually } from '../support/basics/wait-for.js';
import { spawnProgram } from '../support/hosts/host-process.js';
import { packageFolder } from '../support/jest/test-environment.js';
import { httpRequest } from '../support/requests/http-request.js';
import { emptyDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const run = promisify(execFile);
const readme = readFileSync(join(packageFolder(), 'node_modules/nestjs-emails/README.md'), 'utf8');
const folder = join(packageFolder(), 'readme');

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code ?? '');

/** Places that the page may name and a test must choose. */
async function elsewhere(): Promise<{ sink: SmtpSink; url: string; moved: (code: string) => string }> {
  const [sink, database, port] = await Promise.all([SmtpSink.start(), emptyDatabase(), freePort()]);
  const moved = (code: string) =>
    code
      .replace('postgres://app:app@localhost:5433/app', database.url)
      .replace('smtp://localhost:2525', sink.url)
      .replace('listen(3000)', `listen(${port}, '127.0.0.1')`);
  return { sink, url: `http://127.0.0.1:${port}`, moved };
}

beforeAll(async () => {
  mkdirSync(folder);
  for (const [index, code] of blocks('ts').entries()) writeFileSync(join(folder, `${index}.ts`), code);
  const options = /^npx tsc app\.ts (.*)$/m.exec(readme)?.[1]?.split(' ') ?? [];
  expect(options).toContain('--experimentalDecorators');
  const files = blocks('ts').map((_, index) => `${index}.ts`);
  const compiler = join(packageFolder(), 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '--ignoreConfig', ...files, ...options], { cwd: folder }).catch(
    ({ stdout }) => {
      throw new Error(stdout);
    },
  );
});

describe("the package's README", () => {
  it('shows the smallest host as it is in the repository', () => {
    const smallest = new URL('../hosts/smallest/app.ts', import.meta.url);
    expect(blocks('ts')[0]).toBe(readFileSync(smallest, 'utf8'));
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

  it('tells of a way to test that works', async () => {
    const index = blocks('ts').findIndex((code) => code.includes('EmailsTestingModule.register'));
    expect(index).toBeGreaterThan(0);
    await run(process.execPath, [`${index}.js`], { cwd: folder });
  });
});
