import { getHeapStatistics } from 'node:v8';

/**
 * The budgets of texts in a heap of 2,700 MB or more: bodies, reports of relays, emails from templates, parsed templates,
 * answers, and the frames of `nestjs-emails-dashboard`. Bytes.
 */
export const BUDGETS = {
  bodies: 140_000_000,
  reports: 21_000_000,
  rendered: 90_000_000,
  parsed: 56_000_000,
  answers: 280_000_000,
  frames: 120_000_000,
};
/** Part of the heap for the texts of all budgets. */
const PART = 1 / 2;
/** Bytes of each character of a string, once it has one outside Latin-1. */
const WIDE = 2;

const total = Object.values(BUDGETS).reduce((sum, bytes) => sum + bytes, 0);
const { heap_size_limit: heapLimit } = getHeapStatistics();

/**
 * Returns the bytes of a budget that fit the heap. Budgets are independent of each other: all of them
 * together, full of strings with two bytes a character, fit into half of the heap. With one shared budget, two answers that
 * each hold a part of it and wait for more could block each other.
 *
 * @param bytes budget in a heap of 2,700 MB or more
 * @param heap limit of the heap in bytes. Default: of this process
 */
export function heapShare(bytes: number, heap = heapLimit): number {
  return Math.min(bytes, Math.floor((bytes / total) * (heap / WIDE) * PART));
}
