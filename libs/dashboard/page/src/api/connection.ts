import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isSilent = false;

/** Records whether the server just answered. */
export function noteAnswer(answered: boolean): void {
  if (isSilent === !answered) return;
  isSilent = !answered;
  for (const notify of listeners) notify();
}

/** True if the server did not answer the last request. */
export function isAway(): boolean {
  return isSilent;
}

/** The same, updated when it changes. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, isAway);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
