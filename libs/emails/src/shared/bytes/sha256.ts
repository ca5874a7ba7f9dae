import { createHash } from 'node:crypto';
import { NATIVE_SLICE, type Sliced } from '../work/slices.js';

/**
 * SHA-256 in hex.
 *
 * @param prefix hashed before the bytes. Default: nothing
 */
export function* sha256(bytes: Buffer, prefix = ''): Sliced<string> {
  const hash = createHash('sha256').update(prefix);
  for (let start = 0; start < bytes.length; start += NATIVE_SLICE) {
    if (start > 0) yield;
    hash.update(bytes.subarray(start, start + NATIVE_SLICE));
  }
  return hash.digest('hex');
}
