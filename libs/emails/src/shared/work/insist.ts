import { setTimeout } from 'node:timers/promises';

/** For how long, and how often, something is tried that fails. Milliseconds. */
export interface Patience {
  patience: number;
  interval: number;
}

/**
 * Does work again and again while it fails in a way that passes.
 *
 * @throws what it failed of last, when the time is over, or what does not pass
 */
export async function insist<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  { patience, interval }: Patience,
): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > deadline) throw error;
      await setTimeout(interval);
    }
  }
}
