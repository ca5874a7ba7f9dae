/** Characters that are worked on at a stretch: about a millisecond. */
const SLICE = 131_072;

/** Where a slice of the text ends: no pair of surrogates is parted. */
export function endOfSlice(text: string, start: number): number {
  const end = start + SLICE;
  if (end >= text.length) return text.length;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}
