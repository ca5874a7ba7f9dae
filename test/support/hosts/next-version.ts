import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../basics/cleanup.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The next version of the built host: the same program with one more migration. Returns the folder of its scripts, for
 * `HostOptions.version`. It is removed after the test file.
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
    join(scripts, 'database/tables.js'),
    `
    class ${migration}1999999999999 {
      async up(runner) { await runner.query(${JSON.stringify(sql)}); }
    }
    tables.migrations.push(${migration}1999999999999);`,
    { flag: 'a' },
  );
  return scripts;
}
