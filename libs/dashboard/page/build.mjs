/** Builds the page into `dist/page`, each file beside itself compressed, unless what is there is newer than its sources. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCES = import.meta.dirname;
const OUTPUT = fileURLToPath(new URL('../dist/page', import.meta.url));
const STAMP = join(OUTPUT, '.built');
const COMPRESSED = /\.(html|js|css|svg)$/;

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed(STAMP) <= Math.max(...files(SOURCES).map(changed), changed(join(SOURCES, '../package.json')))) {
  const { build } = await import('vite');
  await build({ configFile: join(SOURCES, 'vite.config.mjs') });
  for (const file of files(OUTPUT).filter((name) => COMPRESSED.test(name))) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(STAMP, '');
}
