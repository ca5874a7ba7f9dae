import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->` in a file. */
export function writeBetween(path: string, name: string, text: string): void {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const page = readFileSync(path, 'utf8');
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${path} has no place for the result: ${start} … ${end}.`);
  writeFileSync(path, `${page.slice(0, before)}${start}\n\n${text}\n\n${page.slice(after)}`);
}
