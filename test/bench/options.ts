import { parseArgs } from 'node:util';
import { wholeNumber } from '../support/basics/whole-number.js';
import type { Scale } from './rows/row.js';
import { SCALES } from './scales.js';

export interface Options {
  /** Names of rows. Undefined: all. */
  only: string[] | undefined;
  /** Only guarded rows, unless `only` names others. */
  short: boolean;
  /** Only as many guarded rows as fit. */
  seconds: number | undefined;
  seed: number;
  /** True if rows must keep the recorded ratios. */
  guards: boolean;
  write: boolean;
  scale: Scale;
  /** Limit for each row. */
  rounds: number;
}

/** @throws Error that names the problem */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      short: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      long: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  });
  const { only, short, long, tiny, write } = values;
  const seconds = wholeNumber('seconds', values.seconds);
  if (seconds !== undefined && (long || write)) throw new Error('--seconds goes with neither --long nor --write.');
  const guards = (short || seconds !== undefined) && !write;
  const scale = tiny ? 'tiny' : long ? 'long' : seconds !== undefined ? 'brief' : guards ? 'short' : 'full';
  return {
    only: only?.split(','),
    short,
    seconds,
    seed: wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1_000_000_000),
    guards,
    write,
    scale: SCALES[scale],
    rounds: wholeNumber('rounds', values.rounds) ?? (tiny ? 1 : guards ? 5 : 3),
  };
}
