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
    const entered = ['a', 'b', 'c'].map((account) => Array.from({ length: 5 }, () => costly.enter(account, 'id', 1)));
    expect(entered.map((of) => of.filter(isAdmitted).length)).toEqual([4, 4, 1]);
  });

  it('admits one of each further account until all are admitted', () => {
    const costly = emails(16);
    const entered = Array.from({ length: 20 }, (_, index) => costly.enter(`account ${index}`, 'id', 1));
    expect(entered.filter(isAdmitted)).toHaveLength(16);
  });

  it('admits a million characters of one account, and a single email of any length', () => {
    const costly = emails(100);
    expect([1, 2, 3].map(() => isAdmitted(costly.enter('a', 'id', 400_000)))).toEqual([true, true, false]);
    expect([1, 2].map(() => isAdmitted(costly.enter('b', 'id', 5_000_000)))).toEqual([true, false]);
  });

  it('admits another when one has left', () => {
    const costly = emails(4);
    const leave = costly.enter('a', 'id', 1) as () => void;
    expect(isAdmitted(costly.enter('a', 'id', 1))).toBe(false);
    leave();
    expect(isAdmitted(costly.enter('a', 'id', 1))).toBe(true);
  });

  it.each([
    ['twice the pace of those that leave', 10, [260, 270, 280, 260]],
    ['one in a second when those that leave are slow', 2_000, [1_250, 2_250, 3_250, 1_250]],
  ])('puts further emails of two accounts off one after the other, at %s', (_, time, expected) => {
    const costly = emails(4);
    for (let round = 0; round < 1_000; round++) {
      const leave = costly.enter('a', 'id', 1) as () => void;
      now += time;
      leave();
    }
    costly.enter('a', 'id', 1);
    costly.enter('b', 'id', 1);
    const waits = ['a', 'a', 'a', 'b'].map((account) => costly.enter(account, 'id', 1));
    expect(waits).toEqual(expected);
  });

  it.each([
    ['one account', 1, 300],
    ['twenty accounts', 20, 15],
  ])('leases each slow email of %s a few times, and is hardly idle', (_, accounts, each) => {
    const { leases, ended } = buildAll({ accounts, each, time: 200, cost: 100_000 });
    expect(leases / 300).toBeLessThan(6);
    expect(ended).toBeLessThan(1.05 * 300 * 200);
  });

  it.each([
    ['cheaper ones', 50_000],
    ['others like it', 700_000],
  ])('gives one that fits only alone its turn in a stream of %s', (_, other) => {
    const costly = emails(100);
    const underway = [{ leave: costly.enter('a', 'first', other) as () => void, until: 200 }];
    let comesBack = 0;
    for (let came = 0; now < 10_000; now += 10) {
      for (const { leave } of underway.filter(({ until }) => until <= now)) leave();
      underway.splice(0, underway.length, ...underway.filter(({ until }) => until > now));
      if (now >= comesBack) {
        const entered = costly.enter('a', 'alone', 1_100_000 - other + 1);
        if (typeof entered === 'function') break;
        comesBack = now + entered;
      }
      const leave = costly.enter('a', `other ${came++}`, other);
      if (typeof leave === 'function') underway.push({ leave, until: now + 200 });
    }
    expect(now).toBeLessThan(4_000);
  });

  it('does not wait for one that does not come back, and not in other accounts', () => {
    const costly = emails(100);
    const leave = costly.enter('a', 'small', 10) as () => void;
    expect(costly.enter('a', 'large', 1_000_000)).toBe(250);
    expect(isAdmitted(costly.enter('b', 'other', 10))).toBe(true);
    expect(isAdmitted(costly.enter('a', 'later', 10))).toBe(false);
    leave();
    now = 2_001;
    expect(isAdmitted(costly.enter('a', 'later', 10))).toBe(true);
  });

  it('puts none off for more than a minute', () => {
    const costly = emails(4);
    costly.enter('a', 'id', 1);
    const waits = Array.from({ length: 10_000 }, () => costly.enter('a', 'id', 1) as number);
    expect(Math.max(...waits)).toBe(60_000);
  });
});

/** Builds emails of several accounts one at a time. Each that is put off comes back at its time. */
function buildAll({ accounts, each, time, cost }: Record<'accounts' | 'each' | 'time' | 'cost', number>) {
  let now = 0;
  const costly = new CostlyEmails(100, () => now);
  const coming = Array.from({ length: accounts * each }, (_, at) => ({
    at: 0,
    id: `${at}`,
    account: `${at % accounts}`,
  }));
  const line: (() => void)[] = [];
  let leases = 0;
  let endsAt = Number.POSITIVE_INFINITY;
  for (let built = 0; built < accounts * each; ) {
    coming.sort((one, other) => one.at - other.at);
    const next = coming[0];
    if (next && next.at < endsAt) {
      now = Math.max(now, next.at);
      leases++;
      const entered = costly.enter(next.account, next.id, cost);
      if (typeof entered === 'number') {
        next.at = now + entered;
        continue;
      }
      coming.shift();
      line.push(entered);
      if (line.length === 1) endsAt = now + time;
      continue;
    }
    now = endsAt;
    built++;
    line.shift()?.();
    endsAt = line.length > 0 ? now + time : Number.POSITIVE_INFINITY;
  }
  return { leases, ended: now };
}
