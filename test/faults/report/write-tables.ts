import { writeBetween } from '../../support/basics/write-between.js';
import type { Options } from '../options.js';

/** Renews the tables of docs/faults.md. */
export function writeTables(path: string, tables: string, { seed, hits }: Options): void {
  const note = `\`npm run test:faults -- --seed ${seed} --hits ${hits} --write\` wrote this.`;
  writeBetween(path, 'faults', `${tables}\n\n${note}`);
}
