import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../basics/cleanup.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The built host as it was when its queues did not carry the identity of the database. It goes away after the test file. */
export function versionBeforeIdentity(): string {
  const folder = makeTempFolder('emails-test-before-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const scripts = join(folder, 'host/dist');
  const library = join(folder, 'host/node_modules/nestjs-emails');
  cpSync(join(ROOT, 'apps/host/dist'), scripts, { recursive: true });
  for (const part of ['package.json', 'dist'])
    cpSync(join(ROOT, 'libs/emails', part), join(library, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'host/package.json'), '{"type":"module"}');
  const names = join(library, 'dist/emails/queue/shards.js');
  const code = readFileSync(names, 'utf8').replace(/`\{emails-\$\{identity\}`/, "'{emails'");
  if (code.includes('{identity}')) throw new Error('The names of queues are made in another way now.');
  writeFileSync(names, code);
  return scripts;
}

/**
 * The built host as its next version will be: the same program with one migration more.
 * Gives the folder of its scripts, for `HostOptions.version`. It goes away after the test file.
 *
 * @param migration the name of the migration's class, without the 13 digits at its end
 */
export function nextVersion(migration: string, sql: string): string {
  const folder = makeTempFolder('emails-test-next-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const scripts = join(folder, 'dist');
  cpSync(join(ROOT, 'apps/host/dist'), scripts, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(scripts, 'database/migrations/index.js'),
    `
    class ${migration}1999999999999 {
      async up(runner) { await runner.query(${JSON.stringify(sql)}); }
    }
    hostMigrations.push(${migration}1999999999999);`,
    { flag: 'a' },
  );
  return scripts;
}
