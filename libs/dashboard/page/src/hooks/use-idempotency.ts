import { useRef } from 'react';

interface Idempotency {
  /** The header for a request with this content: the same until it succeeded. */
  headersOf: (asked: string) => Record<string, string>;
  /** Later requests get a new key. */
  done: () => void;
}

/** Executes a request once after a double click, or a retry after a lost answer. */
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
