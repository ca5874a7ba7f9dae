import { readFileSync, writeFileSync } from 'node:fs';
import type { Options } from '../options.js';

const START = '<!-- faults:start -->';
const END = '<!-- faults:end -->';

/** Replaces what stands between the two marks. */
export function writeReadme(path: string, tables: string, { seed, hits }: Options): void {
  const text = readFileSync(path, 'utf8');
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${path} has no place for the result: ${START} … ${END}.`);
  const note = `\`npm run test:faults -- --seed ${seed} --hits ${hits} --write\` wrote this.`;
  writeFileSync(path, `${text.slice(0, before)}${START}\n\n${tables}\n\n${note}\n\n${text.slice(after)}`);
}
