/**
 * Builds the page into `dist/page`, with a compressed copy of each file, unless the build there has the same sources. It
 * is made in a separate folder and moved to its place as a whole, so that no reader sees half of it, whatever other process
 * is building or reading.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCES = import.meta.dirname;
const OUTPUT = fileURLToPath(new URL('../dist/page', import.meta.url));
/** Tables outside of the page's sources; those of the library in their built form. */
const TABLES = [
  '../src/screens.ts',
  '../../emails/dist/emails/states/email-states.js',
  '../../emails/dist/webhooks/endpoints/event-types.js',
].map((name) => join(SOURCES, name));
/** Files that decide the releases of the page's packages. */
const RELEASES = ['../package.json', '../../../package-lock.json'].map((name) => join(SOURCES, name));
const STAMP = '.built';
const COMPRESSED = /\.(html|js|css|svg)$/;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A hash of all inputs of the page. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = filesIn(SOURCES).filter((file) => !/\.spec\.tsx?$/.test(file));
  for (const file of [...sources, ...TABLES, ...RELEASES.filter((name) => existsSync(name))].sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(SOURCES, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Puts a folder in the place of another. This is not atomic: it is tried again when another process interferes. */
function moveTo(made, place) {
  const before = `${made}-before`;
  for (let tries = 0; ; tries++) {
    try {
      renameSync(place, before);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(made, place);
      return;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code) || tries > 100) throw error;
    } finally {
      rmSync(before, { recursive: true, force: true });
    }
  }
}

const stamp = fingerprint();
const place = join(OUTPUT, STAMP);
if (!existsSync(place) || readFileSync(place, 'utf8') !== stamp) {
  const { build } = await import('vite');
  const made = join(OUTPUT, `../.page-${process.pid}`);
  try {
    await build({ configFile: join(SOURCES, 'vite.config.mjs'), build: { outDir: made } });
    for (const file of filesIn(made).filter((name) => COMPRESSED.test(name))) {
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
    writeFileSync(join(made, STAMP), stamp);
    moveTo(made, OUTPUT);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
