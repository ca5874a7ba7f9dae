import type { Scale } from './rows/row.js';

const FULL: Scale = {
  seconds: 6,
  emails: 15_000,
  distant: 3_000,
  sustained: 20,
  rows: 1_000_000,
  growth: [10_000, 100_000, 1_000_000],
  waiting: 100_000,
  backlog: 100_000,
};
const SHORT: Scale = { ...FULL, distant: 1_000, backlog: 5_000 };

export const SCALES = {
  full: FULL,
  long: { ...FULL, growth: [...FULL.growth, 10_000_000] },
  /** For `--short`. */
  short: SHORT,
  /** For `--seconds`. */
  brief: { ...SHORT, seconds: 3, emails: 5_000, distant: 600, rows: 50_000 },
  tiny: {
    seconds: 1,
    emails: 500,
    distant: 200,
    sustained: 2,
    rows: 3_000,
    growth: [3_000],
    waiting: 1_000,
    backlog: 1_000,
  },
} satisfies Record<string, Scale>;
