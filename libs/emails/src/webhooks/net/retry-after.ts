/** Wait from `now` that a `retry-after` header asks for, in seconds or as a date. Milliseconds. Undefined: none. */
export function retryAfterOf(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const time = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(time - now, 0);
}
