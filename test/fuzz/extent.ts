/** Extent of a fuzzer's run. */
export interface Extent {
  /** Seed of all choices; their timing depends on the machine. */
  seed: number;
  /** Approximate duration, without start and end. */
  seconds: number;
  /**
   * Wait of another account that is always allowed. Milliseconds. Default: 100, one tick of the event loop and its
   * garbage collection.
   */
  tolerated?: number;
  /** Receives the progress, a line at a time. */
  say(text: string): void;
}
