import { parseArgs } from 'node:util';
import type { QueueKind } from './world/world.js';

export interface Options {
  seed: number;
  /** 200 hits of every failpoint instead of 25, and everything else four times as long. */
  long: boolean;
  hits: number;
  queues: QueueKind[];
  /** Part of a scenario's name; undefined for all. */
  only: string | undefined;
  /** Scenarios at the same time. */
  parallel: number;
  /** Runs again with other seeds until so many minutes are over; 0: one run. */
  minutes: number;
  /** What the seed chooses of the scenarios, in a set time, instead of all of them. */
  sample: boolean;
  /** Put the result into docs/faults.md. */
  write: boolean;
}

export const USAGE = `npm run test:faults -- [options]
  --long               200 hits of every failpoint instead of 25, and more of everything else
  --sample             what the seed chooses of it, with 8 hits, in about eight minutes
  --hits N             that many instead
  --seed N             repeat the decisions of an earlier run
  --queue NAME         postgres or redis; default: both
  --only TEXT          scenarios whose name contains this
  --parallel N         scenarios at the same time; default: 3
  --minutes N          again and again with other seeds, until so many minutes are over
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
  if (values.sample && (values.long || values.write)) throw new Error('--sample goes with neither --long nor --write.');
  const queues: QueueKind[] = redisAvailable ? ['postgres', 'redis'] : ['postgres'];
  const chosen = queues.filter((queue) => values.queue === undefined || queue === values.queue);
  if (chosen.length === 0) throw new Error(`--queue ${values.queue}: there is no such queue here.`);
  return {
    seed: whole('seed', values.seed) ?? Math.floor(Math.random() * 1_000_000_000),
    long: values.long,
    sample: values.sample,
    hits: whole('hits', values.hits) ?? (values.long ? 200 : values.sample ? 8 : 25),
    queues: chosen,
    only: values.only,
    parallel: whole('parallel', values.parallel) ?? 1,
    minutes: whole('minutes', values.minutes) ?? 0,
    write: values.write,
  };
}

function whole(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} ${value}: must be a whole number.`);
  return Number(value);
}
