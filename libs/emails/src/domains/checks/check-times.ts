const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Checks after the first, from the request on. */
const EARLY = [MINUTE, 5 * MINUTE, 15 * MINUTE];
const OFTEN = HOUR;
const UNTIL = 72 * HOUR;
const LATER = 6 * HOUR;
/** Part of `LATER` by which it is spread, so that domains of one day are not checked together. */
const SPREAD = 0.1;

interface Progress {
  /** The request to verify it. */
  since: Date;
  now: Date;
  /** A record is missing that may still come. */
  isWaiting: boolean;
}

/** Time of the next check: after 1, 5 and 15 minutes, then each hour for 72 h; later, and once all is there, after 6 h. */
export function nextCheckAt({ since, now, isWaiting }: Progress, random: () => number = Math.random): Date {
  const age = now.getTime() - since.getTime();
  if (!isWaiting || age >= UNTIL) return new Date(now.getTime() + LATER * (1 + SPREAD * (random() * 2 - 1)));
  const next = EARLY.find((at) => at > age) ?? (Math.floor(age / OFTEN) + 1) * OFTEN;
  return new Date(since.getTime() + next);
}
