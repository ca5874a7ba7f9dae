/** How much a fuzzer does. */
export interface Extent {
  /** What it decides depends on this; when what happens, on the machine. */
  seed: number;
  /** About how long it goes on, without the start and the end. */
  seconds: number;
  /** Milliseconds that another account may wait in any case. Default: 100, one tick of the event loop and its garbage. */
  tolerated?: number;
  /** Told what was done, a line at a time. */
  say(text: string): void;
}
