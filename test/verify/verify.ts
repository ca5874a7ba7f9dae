import { constants } from 'node:os';
import { join } from 'node:path';
import { lock } from './lock.js';
import { type Options, readOptions } from './options.js';
import type { Part } from './part.js';
import { type Outcome, prove, stateOf } from './prove.js';
import { Records } from './records.js';
import { LOGS } from './run-part.js';

export interface Work {
  root: string;
  parts: readonly Part[];
  /** From the command line. */
  args: string[];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the requested parts, one after the other, and records each in docs/faults.md as soon as it has passed.
 *
 * @returns the exit code
 */
export async function verify({ root, parts, args }: Work): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args, parts);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const records = new Records(join(root, 'docs', 'faults.md'));
  const { asked, again, list } = options;
  if (list) {
    for (const part of asked) console.log(`${part.name}: ${stateOf(part, records, root)}\n  ${part.proves}`);
    return 0;
  }
  try {
    lock(join(root, LOGS, 'lock'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const stopped = stopAtSignal();
  const outcomes: Outcome[] = [];
  for (const part of asked) {
    outcomes.push(await prove(part, { root, parts, records, again, stop: stopped }).catch(failed(part)));
    if (stopped.aborted) {
      console.log('What passed is recorded; the next call goes on from here.');
      return 128 + constants.signals[stopped.reason as NodeJS.Signals];
    }
  }
  console.log(`\n${outcomes.map(({ text }) => text).join('\n')}`);
  return outcomes.every(({ good }) => good) ? 0 : 1;
}

/** A part that cannot run does not stop the others. */
function failed({ name }: Part): (error: unknown) => Outcome {
  return (error) => {
    const text = `${name}: FAILED, ${error instanceof Error ? error.message : error}`;
    console.log(text);
    return { good: false, text };
  };
}

/** Aborted by the first signal, which is its reason. */
function stopAtSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => stop.abort(signal));
  return stop.signal;
}
