const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Date and time to the second, in the reader's language and zone. */
export function stepTime(instant: number): string {
  return clock.format(instant);
}

/** Time from one step to the next, in at most two units: "+0.6 s", "+2 min 3 s", "+1 d 4 h". */
export function timeBetween(before: number, after: number): string {
  const distance = after - before;
  const size = Math.abs(distance);
  const sign = distance < 0 ? '−' : '+';
  if (size < 59_950) return `${sign}${(size / 1_000).toFixed(1)} s`;
  let rest = Math.round(size / 1_000) * 1_000;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  if (parts.length < 2 && rest >= 1_000 && size < 3_600_000) parts.push(`${rest / 1_000} s`);
  return sign + parts.join(' ');
}
