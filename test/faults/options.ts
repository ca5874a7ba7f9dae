import { parseArgs } from 'node:util';
import { wholeNumber } from '../support/basics/whole-number.js';
import type { QueueKind } from './world/world.js';

export interface Options {
  seed: number;
  long: boolean;
  /** Hits of every failpoint. */
  hits: number;
  /** Duration of everything else, relative to the whole run. */
  factor: number;
  queues: QueueKind[];
  /** Part of a scenario's name; undefined for all. */
  only: string | undefined;
  /** Scenarios at the same time. */
  parallel: number;
  /** Repeats the run with other seeds for this many minutes; 0: one run. */
  minutes: number;
  /** One scenario of each kind of fault, chosen by the seed, instead of all of them. */
  sample: boolean;
  /** Put the result into docs/faults.md. */
  write: boolean;
}

const WHOLE = { hits: 25, factor: 1 };
const LONG = { hits: 200, factor: 4 };
const SAMPLE = { hits: 3, factor: 1 / 3 };

export const USAGE = `npm run test:faults -- [options]
  --long               200 hits of every failpoint instead of 25, and more of everything else
  --sample             one scenario of each kind of fault, chosen by the seed, with 3 hits, in at most three minutes
  --hits N             that many instead
  --seed N             repeat the decisions of an earlier run
  --queue NAME         postgres or redis; default: both
  --only TEXT          scenarios whose name contains this
  --parallel N         scenarios at the same time; default: 3
  --minutes N          repeated with other seeds for this many minutes
  --write              put the result into docs/faults.md`;

/** @throws Error that says what is wrong */
export function readOptions(args: string[], redisAvailable: boolean): Options {
  const { values } = parseArgs({
    args,
    options: {
      long: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      hits: { type: 'string' },
      seed: { type: 'string' },
      queue: { type: 'string' },
      only: { type: 'string' },
      parallel: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '0' },
      write: { type: 'boolean', default: false },
    },
  });
  const { hits, factor } = values.long ? LONG : values.sample ? SAMPLE : WHOLE;
  if (values.sample && (values.long || values.write)) throw new Error('--sample goes with neither --long nor --write.');
  const queues: QueueKind[] = redisAvailable ? ['postgres', 'redis'] : ['postgres'];
  const chosen = queues.filter((queue) => values.queue === undefined || queue === values.queue);
  if (chosen.length === 0) throw new Error(`--queue ${values.queue}: there is no such queue here.`);
  return {
    seed: wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1_000_000_000),
    long: values.long,
    sample: values.sample,
    hits: wholeNumber('hits', values.hits) ?? hits,
    factor,
    queues: chosen,
    only: values.only,
    parallel: wholeNumber('parallel', values.parallel) ?? 1,
    minutes: wholeNumber('minutes', values.minutes) ?? 0,
    write: values.write,
  };
}
