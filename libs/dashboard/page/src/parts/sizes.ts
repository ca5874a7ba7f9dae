const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** "812 B", "1.4 kB", "23 MB". */
export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && size < 9.95 ? 1 : 0;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}
