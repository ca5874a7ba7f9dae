import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** The query of the address bar, which holds the whole state of a screen, and a function that changes parts of it. */
export function useUrlState(): [URLSearchParams, (changes: Record<string, string | null>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (changes: Record<string, string | null>) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(text === '' ? path : `${path}?${text}`, { replace: true });
    },
    [search, path, navigate],
  );
  return [state, change];
}
