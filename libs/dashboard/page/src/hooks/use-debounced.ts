import { useEffect, useState } from 'react';

/** A value once it was left alone for so long. Milliseconds. */
export function useDebounced<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, delay, () => value);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
