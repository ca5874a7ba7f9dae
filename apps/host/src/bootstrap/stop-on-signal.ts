/**
 * A signal within this time after another is a duplicate: a terminal's Ctrl-C reaches npm and us, and npm forwards its
 * own. Milliseconds.
 */
const ECHO = 500;

/** Timeout of a stop, a little longer than the workers' grace period. Milliseconds. */
const LIMIT = 25_000;

/** Durations are in milliseconds. */
interface Stop {
  /** Never rejects. */
  stop: () => Promise<void>;
  /** Called after the timeout, just before the process exits. */
  onLimit: () => void;
  /** Added to the timeout. */
  drainDelay: number;
}

/** Stops the process gracefully with this exit code. After the timeout it exits with 1. */
export function stopWith(exitCode: number, { stop, onLimit, drainDelay }: Stop): void {
  setTimeout(() => {
    onLimit();
    process.exit(1);
  }, LIMIT + drainDelay).unref();
  void stop().then(() => process.exit(exitCode));
}

/** SIGINT and SIGTERM stop the process gracefully with exit code 0. A second one ends it at once. */
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
