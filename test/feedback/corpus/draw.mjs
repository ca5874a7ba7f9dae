// Moves the entries that the seed chooses into `held-out/`. Run again after new entries: earlier ones stay where they are.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Written in README.md too. Another seed would show the held-out entries. */
export const SEED = 'nestjs-emails feedback corpus, second draw, 2026-11-26';

/** True for about a third of all ids. It depends on the id alone, so that later entries change no earlier choice. */
export function isHeldOut(id, seed = SEED) {
  return createHash('sha256').update(`${seed}:${id}`).digest().readUInt32BE(0) / 2 ** 32 < 1 / 3;
}

const FOLDER = new URL('./', import.meta.url);
const HELD_OUT = new URL('held-out/', FOLDER);

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function write(file, entries) {
  if (entries.length) writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`);
  else rmSync(file, { force: true });
}

/** Returns the chosen entries of one file, which are then in the same file of `held-out/`. */
function draw(path) {
  const file = new URL(path, FOLDER);
  const entries = read(file);
  const chosen = entries.filter(({ id }) => isHeldOut(id));
  if (!chosen.length) return chosen;
  const target = new URL(path, HELD_OUT);
  mkdirSync(new URL('./', target), { recursive: true });
  write(target, [...read(target), ...chosen]);
  write(
    file,
    entries.filter(({ id }) => !isHeldOut(id)),
  );
  return chosen;
}

function drawAll() {
  for (const name of readdirSync(new URL('replies/', FOLDER)).sort()) draw(`replies/${name}`);
  for (const { file } of draw('reports/index.json')) {
    renameSync(new URL(`reports/${file}`, FOLDER), new URL(`reports/${file}`, HELD_OUT));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) drawAll();
