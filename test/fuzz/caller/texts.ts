import type { Random } from '../../support/basics/random.js';

/** Sizes by frequency: most are small, few are near the limit. Bytes. */
const SIZES: readonly [share: number, from: number, to: number][] = [
  [0.75, 0, 2_000],
  [0.17, 2_000, 200_000],
  [0.07, 200_000, 2_000_000],
  [0.01, 2_000_000, 38_000_000],
];

/** Lines of texts that messages and pages have to treat specially. */
const LINES = [
  'text\n',
  '.a\n',
  '.\n',
  '\n',
  '\r',
  '\r\n',
  'ä',
  '🦊',
  '<b>',
  '<a href="x">',
  '&amp;',
  '{{',
  'a'.repeat(998),
  ' ',
];

/** A size up to the limit, most of them small. */
export function someSize(random: Random, limit: number): number {
  let left = random.next();
  for (const [share, from, to] of SIZES) {
    left -= share;
    if (left > 0) continue;
    return Math.min(limit, Math.round(Math.max(1, from) * (to / Math.max(1, from)) ** random.next()) - 1);
  }
  return 0;
}

/** A text of this many characters that starts with the mark. */
export function someText(random: Random, mark: string, size: number): string {
  const line = random.pick(LINES);
  return `${mark} ${line.repeat(Math.ceil(size / line.length))}`.slice(0, Math.max(size, mark.length));
}
