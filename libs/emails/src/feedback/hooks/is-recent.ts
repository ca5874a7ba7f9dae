/** True for a Unix time in seconds, as text, at most this many milliseconds from now: clocks differ in both directions. */
export function isRecent(seconds: string, most: number, now = Date.now()): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= most;
}
