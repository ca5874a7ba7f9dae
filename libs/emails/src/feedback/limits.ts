import type { Limits } from '../shared/limits.js';

/** Limits of suppressions. */
export const FEEDBACK_LIMITS = {
  suppressions: { of: 'addresses in `batch/add` and `batch/remove` of suppressions', max: 100, unit: 'in number' },
  undoSpan: { of: 'the time between `from` and `to` of an undo', max: 604_800_000, unit: 'milliseconds' },
  undoShown: {
    of: 'entries that the answer of an undo shows',
    max: 100,
    unit: 'in number',
    beyond: 'the rest is removed too, and not shown',
  },
} satisfies Limits;
