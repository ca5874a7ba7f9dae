const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** "3 d 4 h", "2 min 5 s", "0 s": its two largest units. */
export function durationOf(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([, size]) => left >= size);
  const parts = UNITS.slice(first < 0 ? -1 : first)
    .slice(0, 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? `${count} ${unit}` : '';
    });
  return parts.filter(Boolean).join(' ') || '0 s';
}

/** Time between two steps: "+12 ms", "+0.6 s", "+2 min 5 s". A clock that went back gives "+0 ms". Milliseconds. */
export function stepOf(milliseconds: number): string {
  const length = Math.max(0, Math.round(milliseconds));
  if (length < 100) return `+${length} ms`;
  if (length < 9_950) return `+${(length / 1_000).toFixed(1)} s`;
  return `+${durationOf(Math.round(length / 1_000))}`;
}
