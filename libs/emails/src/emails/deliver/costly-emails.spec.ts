import { CostlyEmails } from './costly-emails.js';

const isAdmitted = (entered: (() => void) | number) => typeof entered === 'function';

describe('CostlyEmails', () => {
  let now = 0;
  const emails = (most: number) => new CostlyEmails(most, () => now);

  beforeEach(() => {
    now = 0;
  });

  it('admits a quarter of one account, and others until half are admitted', () => {
    const costly = emails(16);
    const entered = ['a', 'b', 'c'].map((account) => Array.from({ length: 5 }, () => costly.enter(account, 1)));
    expect(entered.map((of) => of.filter(isAdmitted).length)).toEqual([4, 4, 1]);
  });

  it('admits one of each further account until all are admitted', () => {
    const costly = emails(16);
    const entered = Array.from({ length: 20 }, (_, index) => costly.enter(`account ${index}`, 1));
    expect(entered.filter(isAdmitted)).toHaveLength(16);
  });

  it('admits a million characters of one account, and a single email of any length', () => {
    const costly = emails(100);
    expect([1, 2, 3].map(() => isAdmitted(costly.enter('a', 400_000)))).toEqual([true, true, false]);
    expect([1, 2].map(() => isAdmitted(costly.enter('b', 5_000_000)))).toEqual([true, false]);
  });

  it('admits another when one has left', () => {
    const costly = emails(4);
    const leave = costly.enter('a', 1) as () => void;
    expect(isAdmitted(costly.enter('a', 1))).toBe(false);
    leave();
    expect(isAdmitted(costly.enter('a', 1))).toBe(true);
  });

  it.each([
    ['twice the pace of those that leave', 10, [255, 260, 265, 255]],
    ['50 in a second when those that leave are slow', 1_000, [270, 290, 310, 270]],
  ])('puts further emails of an account off one after the other, at %s', (_, time, expected) => {
    const costly = emails(4);
    for (let round = 0; round < 1_000; round++) {
      const leave = costly.enter('a', 1) as () => void;
      now += time;
      leave();
    }
    costly.enter('a', 1);
    costly.enter('b', 1);
    const waits = ['a', 'a', 'a', 'b'].map((account) => costly.enter(account, 1));
    expect(waits).toEqual(expected);
  });

  it('puts none off for more than a minute', () => {
    const costly = emails(4);
    costly.enter('a', 1);
    const waits = Array.from({ length: 10_000 }, () => costly.enter('a', 1) as number);
    expect(Math.max(...waits)).toBe(60_000);
  });
});
