import { useCallback, useState } from 'react';
import { readItem, writeItem } from '../../api/browser-storage';

const KEY = 'nestjs-emails inbox read';

/** More than an inbox keeps. */
const CAPACITY = 1_500;

/** Adds an id to the read ones, and drops the oldest above the limit. Returns the same list for a known id. */
export function withRead(read: readonly string[], id: string): readonly string[] {
  return read.includes(id) ? read : [...read, id].slice(-CAPACITY);
}

/** Ids of messages that were opened in this browser. */
export function useReadMessages() {
  const [read, setRead] = useState<readonly string[]>(kept);
  const markRead = useCallback((id: string) => {
    setRead((before) => {
      const after = withRead(before, id);
      if (after !== before) writeItem('localStorage', KEY, JSON.stringify(after));
      return after;
    });
  }, []);
  return { read, markRead };
}

function kept(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(readItem('localStorage', KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
