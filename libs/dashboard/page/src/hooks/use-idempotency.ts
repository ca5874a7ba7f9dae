import { useRef } from 'react';

interface Idempotency {
  /** The header for a request that asks for this: the same until it was done. */
  headersOf: (asked: string) => Record<string, string>;
  /** What is asked for from now on is asked for anew. */
  done: () => void;
}

/** Has what is clicked twice, or was done without our hearing of it and is asked for again, done once. */
export function useIdempotency(): Idempotency {
  const keys = useRef(new Map<string, string>());
  return {
    headersOf: (asked) => {
      const key = keys.current.get(asked) ?? crypto.randomUUID?.() ?? String(Math.random());
      keys.current.set(asked, key);
      return { 'idempotency-key': key };
    },
    done: () => keys.current.clear(),
  };
}
