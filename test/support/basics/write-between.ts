import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Replaces the text between `<!-- name:start -->` and `<!-- name:end -->` in a file. */
export function writeBetween(path: string, name: string, text: string): void {
  const { before, after } = split(path, name);
  const draft = `${path}.draft`;
  writeFileSync(draft, `${before}\n\n${text}\n\n${after}`);
  renameSync(draft, path);
}

/** Returns the text between the two marks. */
export function readBetween(path: string, name: string): string {
  return split(path, name).between;
}

function split(path: string, name: string): { before: string; between: string; after: string } {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const page = readFileSync(path, 'utf8');
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place for the result: ${start} … ${end}.`);
  const inner = from + start.length;
  return { before: page.slice(0, inner), between: page.slice(inner, to), after: page.slice(to) };
}
