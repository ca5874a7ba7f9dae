import { setImmediate } from 'node:timers/promises';

/** Bytes that are worked on at a stretch, one by one: about a millisecond. */
export const SLICE = 262_144;
/** The same where native code does the work. */
export const NATIVE_SLICE = 1_048_576;

/** How far a walk over bytes may go before it pauses. */
export class SliceEnd {
  at: number;

  constructor(start = 0) {
    this.at = start + SLICE;
  }

  /** True when the walk has come so far; the next slice then begins there. */
  reached(at: number): boolean {
    if (at < this.at) return false;
    this.at = at + SLICE;
    return true;
  }
}

/** Work on bytes that pauses after each slice of them. */
export type Sliced<Result> = Generator<void, Result, void>;

/**
 * Does the work. Each turn of the event loop has one slice in it, of whatever work is under way, so that small requests
 * never wait for a large one. What is no larger than a slice is done at once.
 */
export async function inTurns<Result>(work: Sliced<Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Milliseconds for which many small pieces of work go on in one turn of the event loop. */
const STRETCH = 5;

/** For work in many pieces that are too small to be slices, but are many. */
export class Turns {
  private since = performance.now();

  /** Before each piece. Undefined when it may be done at once. */
  pass(): Promise<void> | undefined {
    if (performance.now() - this.since < STRETCH) return undefined;
    return nextTurn().then(() => {
      this.since = performance.now();
    });
  }
}

let turn = Promise.resolve();

/** Resolves in a turn of the event loop that has no other slice in it. */
export function nextTurn(): Promise<void> {
  turn = turn.then(() => setImmediate());
  return turn;
}

/** Bytes that have come in this turn, to whoever reads. */
let come = 0;

/**
 * Told of bytes that have come. Undefined as long as all that came in this turn of the event loop is less than a slice; else
 * resolves when more may come, in a turn that has no other slice in it. Node reads up to 2 MB of a connection in one
 * turn (32 times 64 kB, `uv__read` of libuv), and does so with each.
 */
export function turnToRead(bytes: number): Promise<void> | undefined {
  if (come === 0) void setImmediate().then(startAgain);
  come += bytes;
  return come < SLICE ? undefined : nextTurn();
}

function startAgain(): void {
  come = 0;
}
