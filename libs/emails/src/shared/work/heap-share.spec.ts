import { BUDGETS, heapShare } from './heap-share.js';

const MB = 1_048_576;
/**
 * Limits of V8's heap with `--max-old-space-size` of 128, 256 (with a small young generation, and without), 384, 512,
 * 1,024 and 2,048.
 */
const SMALL_HEAPS = [176, 280, 304, 432, 560, 1_072, 2_096].map((megabytes) => megabytes * MB);

describe('heapShare', () => {
  it.each(SMALL_HEAPS)('fits all budgets, with two bytes a character, into half of a heap of %d bytes', (heap) => {
    const characters = Object.values(BUDGETS).reduce((sum, bytes) => sum + heapShare(bytes, heap), 0);
    expect(2 * characters).toBeLessThanOrEqual(heap / 2);
    expect(2 * characters).toBeGreaterThan(0.49 * heap);
  });

  it.each([2_700, 4_144])('leaves budgets as they are in a heap of %d MB', (megabytes) => {
    for (const bytes of Object.values(BUDGETS)) expect(heapShare(bytes, megabytes * MB)).toBe(bytes);
  });

  it('divides a small heap in the same proportions', () => {
    const heap = 256 * MB;
    expect(heapShare(40_000_000, heap) / heapShare(10_000_000, heap)).toBeCloseTo(4);
  });
});
