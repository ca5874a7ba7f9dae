/** The first and the last byte that are asked for. `unsatisfiable`: none of them exists. Undefined: all. */
export type AskedRange = { start: number; end: number } | 'unsatisfiable' | undefined;

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * What `Range` asks for (RFC 9110, section 14.2): one range of bytes. A header that asks for several, or that means nothing,
 * gets everything, which is always allowed.
 *
 * @param size bytes there are
 */
export function askedRange(header: string | undefined, size: number): AskedRange {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    if (Number(last) === 0) return 'unsatisfiable';
    // Of nothing, all is the end.
    return size === 0 ? undefined : { start: Math.max(0, size - Number(last)), end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
