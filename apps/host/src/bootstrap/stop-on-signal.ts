/**
 * A signal that comes this soon after another is the same one: a terminal's Ctrl-C reaches npm and us, and npm passes
 * its own on. Milliseconds.
 */
const ECHO = 500;

/** All that is under way must be over by then: a little more than workers get to finish. Milliseconds. */
const LIMIT = 25_000;

/** Durations are in milliseconds. */
interface Stop {
  /** Never rejects. */
  stop: () => Promise<void>;
  /** Told when it takes too long, just before the process is ended without it. */
  onLimit: () => void;
  /** Added to what stopping may take. */
  drainDelay: number;
}

/** Stops the process in good order, with this exit code. When that takes too long, it ends with 1. */
export function stopWith(exitCode: number, { stop, onLimit, drainDelay }: Stop): void {
  setTimeout(() => {
    onLimit();
    process.exit(1);
  }, LIMIT + drainDelay).unref();
  void stop().then(() => process.exit(exitCode));
}

/** SIGINT and SIGTERM stop the process in good order, with exit code 0. A second one ends it at once. */
export function stopOnSignal(ending: Stop): void {
  let first: number | undefined;
  const onSignal = (): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      stopWith(0, ending);
    } else if (now - first > ECHO) {
      process.exit(1);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
