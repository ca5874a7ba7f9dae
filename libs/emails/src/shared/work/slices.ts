import { setImmediate } from 'node:timers/promises';

/** Bytes processed one by one in a slice, about a millisecond. */
export const SLICE = 262_144;
/** The same for native code. */
export const NATIVE_SLICE = 1_048_576;

/** Position up to which a loop over bytes may run before it pauses. */
export class SliceEnd {
  at: number;

  constructor(start = 0) {
    this.at = start + SLICE;
  }

  /** True when the loop has reached it; the next slice then starts there. */
  reached(at: number): boolean {
    if (at < this.at) return false;
    this.at = at + SLICE;
    return true;
  }
}

/** Work on bytes that pauses after each slice of them. */
export type Sliced<Result> = Generator<void, Result, void>;

/**
 * Does the work. Each turn of the event loop has one slice of all work, so that small requests never wait for a large
 * one. Work no larger than a slice is done at once.
 */
export async function inTurns<Result>(work: Sliced<Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Time in one turn of the event loop for small pieces of work. Milliseconds. */
const STRETCH = 5;

/** For work in many pieces that are too small for slices. */
export class Turns {
  private since = performance.now();

  /** Called before each piece. Undefined when the piece may run at once. */
  pass(): Promise<void> | undefined {
    if (performance.now() - this.since < STRETCH) return undefined;
    return nextTurn().then(() => {
      this.since = performance.now();
    });
  }
}

let turn = Promise.resolve();

/** Resolves in a turn of the event loop without another slice. */
export function nextTurn(): Promise<void> {
  turn = turn.then(() => setImmediate());
  return turn;
}

/** Received bytes of this turn, for all readers together. */
let come = 0;

/**
 * Counts received bytes. Undefined while the bytes of this turn of the event loop are below a slice; else resolves when
 * more may be read, in a turn without another slice. Node reads up to 2 MB of a connection in one turn (32 times 64 kB,
 * `uv__read` of libuv), and does so with each.
 */
export function turnToRead(bytes: number): Promise<void> | undefined {
  if (come === 0) void setImmediate().then(startAgain);
  come += bytes;
  return come < SLICE ? undefined : nextTurn();
}

function startAgain(): void {
  come = 0;
}
