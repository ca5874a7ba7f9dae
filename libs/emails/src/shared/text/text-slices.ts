import { SLICE } from '../work/slices.js';

/**
 * The text in slices, without a split of surrogate pairs.
 *
 * @param size characters of a slice
 */
export function* textSlices(text: string, size = SLICE): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const next = start + size;
    const end = /[\ud800-\udbff]/.test(text.charAt(next - 1)) ? next + 1 : next;
    yield text.slice(start, end);
    start = end;
  }
}
