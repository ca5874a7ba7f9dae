import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edit } from './guard.js';
import { locate, ROOT } from './locate.js';

/** A file before and after an edit. */
export interface Edited {
  /** Absolute. */
  path: string;
  before: string;
  after: string;
}

/** @throws Error unless the file, and the text in it, exist exactly once */
export function edited([file, find, replace]: Edit): Edited {
  const path = join(ROOT, locate(file));
  const before = readFileSync(path, 'utf8');
  if (before.split(find).length !== 2) throw new Error(`${locate(file)} does not have this exactly once: ${find}`);
  return { path, before, after: before.replace(find, () => replace) };
}
