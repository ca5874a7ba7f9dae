import { RetryPolicy } from './retry-policy.js';

describe('RetryPolicy', () => {
  it('waits by the schedule, up to a tenth longer, then gives up', () => {
    const least = new RetryPolicy([1000, 5000], () => 0);
    const longest = new RetryPolicy([1000, 5000], () => 1);
    expect([1, 2, 3].map((attempt) => least.waitAfter(attempt))).toEqual([1000, 5000, undefined]);
    expect([1, 2, 3].map((attempt) => longest.waitAfter(attempt))).toEqual([1100, 5500, undefined]);
  });

  it('waits by the age of work whose attempts do not count', () => {
    const policy = new RetryPolicy([1000, 5000], () => 0);
    expect([0, 999, 1000, 5999, 6000].map((age) => policy.waitAt(age))).toEqual([1000, 1000, 5000, 5000, undefined]);
  });

  it('varies in both directions if configured', () => {
    const around = { min: 0.9, max: 1.1 };
    const waits = [0, 0.5, 1].map((random) => new RetryPolicy([1000], () => random, around).waitAfter(1));
    expect(waits).toEqual([900, 1000, 1100]);
  });
});
