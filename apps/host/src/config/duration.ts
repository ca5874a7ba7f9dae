const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DAY = 86_400_000;

/** Timers of Node end at 2^31 - 1 milliseconds, a little under 25 days. */
const LONGEST = 24 * DAY;

/** `500ms`, `30s`, `1m`, `1.5h`, `2d` → milliseconds, from 1 up to `longest`. Undefined for any other text. */
export function parseDuration(text: string, longest = LONGEST): number | undefined {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN));
  return milliseconds >= 1 && milliseconds <= longest ? milliseconds : undefined;
}

/** `1m,5m,15m` → milliseconds each. Undefined for an empty list or an invalid duration. */
export function parseDurations(text: string): number[] | undefined {
  const durations = text.split(',').map((part) => parseDuration(part));
  return durations.every((duration) => duration !== undefined) ? durations : undefined;
}
