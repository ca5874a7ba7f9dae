import { PATIENCE } from './patience.mjs';

export interface WaitOptions {
  /** Milliseconds before giving up. Default: `PATIENCE`. */
  timeout?: number;
  /** Interval of polls. Milliseconds. Default: 25. */
  interval?: number;
}

/** Calls `assertion` until it does not throw and returns its value; after the timeout throws its last error. */
export async function eventually<T>(assertion: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const { timeout = PATIENCE, interval = 25 } = options;
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

/** Calls `look` until it returns a truthy value, and returns that. An error of `look` counts as "not yet". */
export function until<T>(
  look: () => T | Promise<T>,
  options: WaitOptions & { what?: string } = {},
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  return eventually(async () => {
    const found = await look();
    if (!found) throw new Error(`Timed out waiting for ${options.what ?? 'a condition'}.`);
    return found as Exclude<T, undefined | null | false | 0 | ''>;
  }, options);
}

/** Rejects when `promise` takes longer than `timeout` milliseconds. */
export async function within<T>(promise: Promise<T>, timeout: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeout} ms.`)), timeout);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
