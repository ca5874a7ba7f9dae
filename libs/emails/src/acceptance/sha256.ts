import { createHash } from 'node:crypto';
import { NATIVE_SLICE, type Sliced } from './slices.js';

/** SHA-256 in hex. */
export function* sha256(bytes: Buffer): Sliced<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += NATIVE_SLICE) {
    if (start > 0) yield;
    hash.update(bytes.subarray(start, start + NATIVE_SLICE));
  }
  return hash.digest('hex');
}
