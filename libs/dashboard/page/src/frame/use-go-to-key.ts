import { useEffect, useRef } from 'react';

/** Calls `open` on Ctrl+K and Cmd+K, also from text fields, unless a dialog is open. */
export function useGoToKey(open: () => void): void {
  const current = useRef(open);
  current.current = open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWanted = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isWanted || event.shiftKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
