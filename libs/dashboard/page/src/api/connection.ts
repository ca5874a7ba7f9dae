import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isSilent = false;

/** Notes whether the server answered just now. */
export function noteAnswer(answered: boolean): void {
  if (isSilent === !answered) return;
  isSilent = !answered;
  for (const tell of listeners) tell();
}

/** Whether the server did not answer when it was asked last. */
export function isAway(): boolean {
  return isSilent;
}

/** The same, told again when it changes. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, isAway);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
