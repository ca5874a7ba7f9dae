/** Clocks of two machines differ by less. Milliseconds. */
export const CLOCKS = 900_000;

/** True for a time in milliseconds that is at most `most` ago, and not in the future. */
export function isRecent(time: number, most: number, now = Date.now()): boolean {
  return now - time <= most && time - now <= CLOCKS;
}

/** Milliseconds of a Unix time in seconds, with or without a fraction, as text; NaN for anything else. */
export function unixTime(seconds: string | undefined): number {
  return /^\d{1,12}(\.\d{1,9})?$/.test(seconds ?? '') ? Number(seconds) * 1_000 : Number.NaN;
}
