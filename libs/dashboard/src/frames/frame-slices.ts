/** Characters of a slice, about a millisecond of work. */
const SLICE = 131_072;

/** End of a slice of the text, without a split of surrogate pairs. */
export function endOfSlice(text: string, start: number): number {
  const end = start + SLICE;
  if (end >= text.length) return text.length;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}
