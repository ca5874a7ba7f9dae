/** The first and the last requested byte. `unsatisfiable`: none of them exists. Undefined: all. */
export type AskedRange = { start: number; end: number } | 'unsatisfiable' | undefined;

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range that `Range` asks for (RFC 9110, section 14.2): one range of bytes. An invalid header, or one with several
 * ranges, gets the whole file, which is always allowed.
 *
 * @param size bytes of the file
 */
export function askedRange(header: string | undefined, size: number): AskedRange {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    if (Number(last) === 0) return 'unsatisfiable';
    // A suffix of an empty file is the whole file.
    return size === 0 ? undefined : { start: Math.max(0, size - Number(last)), end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
