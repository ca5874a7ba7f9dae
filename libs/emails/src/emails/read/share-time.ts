const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

const DURATION = /^(\d{1,6}(?:\.\d{1,3})?) ?(s|sec|second|m|min|minute|h|hr|hour|d|day)s?$/i;

/** The longest that an email is shared, in milliseconds: 48 hours. */
export const LONGEST_SHARE = 48 * 3_600_000;

/** `10m`, `2 hours`, `1 day` → milliseconds, from a second to 48 hours. Undefined when it is anything else. */
export function shareTime(text: string): number | undefined {
  const [, amount, unit = ''] = DURATION.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  return milliseconds >= 1_000 && milliseconds <= LONGEST_SHARE ? milliseconds : undefined;
}
