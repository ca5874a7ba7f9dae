type StorageName = 'localStorage' | 'sessionStorage';

/** A kept text; null without one, and in a browser whose storage is forbidden. */
export function readItem(storage: StorageName, key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text; null removes it. @returns false when the storage is full or forbidden */
export function writeItem(storage: StorageName, key: string, text: string | null): boolean {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
