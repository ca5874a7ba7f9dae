import { limitsOf, perDayOf } from './transport-limits.js';

describe('the limits of a transport', () => {
  it('are none by default', () => {
    expect(limitsOf({})).toBeUndefined();
    expect(limitsOf({ maxPerSecond: 5 })?.()).toEqual({ perSecond: 5, perDay: undefined });
  });

  it.each([
    ['2026-11-30', 50],
    ['2026-12-01', 50],
    ['2026-12-03', 50],
    ['2026-12-04', 100],
    ['2027-01-01', 100],
  ])('hold on %s from the last day of the plan before it: %i', (day, most) => {
    expect(perDayOf({ '2026-12-04': 100, '2026-12-01': 50 }, day)).toBe(most);
    expect(perDayOf(7, day)).toBe(7);
  });
});
