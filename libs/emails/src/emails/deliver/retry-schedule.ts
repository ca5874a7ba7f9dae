const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** 1 min, 5 min, 15 min, 30 min, 1 h, 2 h, then every 4 h: five days in all, as RFC 5321 section 4.5.4.1 advises. */
export const DEFAULT_RETRY_SCHEDULE: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  ...Array.from({ length: 29 }, () => 4 * HOUR),
];
