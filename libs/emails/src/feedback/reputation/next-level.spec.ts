import { nextLevel, type ReputationState } from './next-level.js';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(hours * HOUR);
const GOOD: ReputationState = { level: null, since: null, badAt: null };
const WARNED: ReputationState = { level: 'warn', since: at(1), badAt: at(2) };
const HELD: ReputationState = { level: 'hold', since: at(1), badAt: at(2) };

describe('nextLevel', () => {
  it('begins with bad rates, and keeps its begin', () => {
    expect(nextLevel(GOOD, 'warn', at(3))).toEqual({ level: 'warn', since: at(3), badAt: at(3) });
    expect(nextLevel(WARNED, 'warn', at(3))).toEqual({ level: 'warn', since: at(1), badAt: at(3) });
    expect(nextLevel(WARNED, 'hold', at(3))).toEqual({ level: 'hold', since: at(3), badAt: at(3) });
  });

  it('ends a warning after an hour with good rates', () => {
    expect(nextLevel(GOOD, 'nothing', at(9))).toEqual(GOOD);
    expect(nextLevel(WARNED, 'nothing', at(2.9))).toEqual(WARNED);
    expect(nextLevel(WARNED, 'nothing', at(3))).toEqual({ ...WARNED, level: null });
  });

  it('leaves the end of a hold to the operator', () => {
    expect(nextLevel(HELD, 'nothing', at(99))).toEqual(HELD);
    expect(nextLevel(HELD, 'warn', at(3))).toEqual({ ...HELD, badAt: at(3) });
  });
});
