import { ratesOf, reachedLimit } from './rates';

const none = { sent: 0, delivered: 0, delivery_delayed: 0, bounced: 0, failed: 0, complained: 0, suppressed: 0 };
const totalsOf = (counts: Partial<typeof none>) => {
  const totals = { ...none, ...counts, delivery_rate: 0, bounce_rate: 0, complaint_rate: 0 };
  return ratesOf({ totals, data: [] });
};

describe('the rates of a range', () => {
  it.each<[string, Partial<typeof none>, number | undefined, number | undefined]>([
    ['nothing', {}, undefined, undefined],
    ['a server that refuses at once', { sent: 980, delivered: 980, bounced: 20 }, 2, 0],
    ['a relay that reports bounces later', { sent: 1_000, bounced: 5, complained: 3 }, 0.5, 0.3],
    ['a relay that reports deliveries', { sent: 1_000, delivered: 900, bounced: 100, complained: 9 }, 10, 1],
    ['bounces alone', { bounced: 3 }, 100, undefined],
  ])('of %s', (_, counts, bounces, complaints) => {
    expect(totalsOf(counts).map(({ total }) => total)).toEqual([bounces, complaints]);
  });

  it('say something from 500 recipients on', () => {
    expect(totalsOf({ sent: 499 }).map(({ isEnough }) => isEnough)).toEqual([false, false]);
    expect(totalsOf({ sent: 500, delivered: 499 }).map(({ isEnough }) => isEnough)).toEqual([true, false]);
  });

  it('have a value for each period with recipients', () => {
    const data = [
      { ...none, period: '2026-07-01', sent: 100, delivered: 100, bounced: 1 },
      { ...none, period: '2026-07-02' },
    ];
    const totals = { ...none, delivery_rate: 0, bounce_rate: 0, complaint_rate: 0 };
    const [bounces] = ratesOf({ totals, data });
    expect(bounces?.periods).toEqual([
      { period: '2026-07-01', rate: 100 / 101 },
      { period: '2026-07-02', rate: undefined },
    ]);
  });
});

describe('the limit that a rate reaches', () => {
  it.each([
    ['bounces', 1.99, undefined],
    ['bounces', 2, 2],
    ['complaints', 0.099, undefined],
    ['complaints', 0.1, 0.1],
    ['complaints', 0.3, 0.3],
    ['complaints', 40, 0.3],
  ] as const)('by %s of %d %% is %p', (name, rate, limit) => {
    expect(reachedLimit(name, rate)).toBe(limit);
  });
});
