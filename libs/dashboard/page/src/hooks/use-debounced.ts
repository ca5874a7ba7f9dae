import { useEffect, useState } from 'react';

/** A value after it was stable for a time. Milliseconds. */
export function useDebounced<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, delay, () => value);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
