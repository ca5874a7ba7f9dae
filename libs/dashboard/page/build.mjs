/**
 * Builds the page into `dist/page`, each file beside itself compressed, unless what is there was made of the same
 * sources. It is made in a folder of its own and moved to its place whole, so that nobody sees half of it, whoever else
 * is building or reading.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCES = import.meta.dirname;
const OUTPUT = fileURLToPath(new URL('../dist/page', import.meta.url));
/** What decides which releases of its packages the page is made of. */
const RELEASES = ['../package.json', '../../../package-lock.json'].map((name) => join(SOURCES, name));
const STAMP = '.built';
const COMPRESSED = /\.(html|js|css|svg)$/;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** One value for all that the page is made of. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = filesIn(SOURCES).filter((file) => !/\.spec\.tsx?$/.test(file));
  for (const file of [...sources, ...RELEASES.filter((name) => existsSync(name))].sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(SOURCES, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Puts a folder in the place of another, which nobody can do at once: whoever comes in between is asked again. */
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
