import { jest } from '@jest/globals';
import type { PermitLimits, UnusedPermits } from '../../storage/deliver/permits.repository.js';
import { Permits } from './permits.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const HOUR = 3_600_000;

/** Permits of a store with a virtual clock, like the one in PostgreSQL. */
function permitsWith(limits: PermitLimits) {
  const row = { used: 0, nextAt: 0 };
  const take = jest.fn(
    async (
      ...[, wanted, { perSecond, perDay }, ahead, isOne, unused]: [
        ...[string, number, PermitLimits, number, boolean],
        UnusedPermits,
      ]
    ) => {
      const now = performance.now();
      row.used -= unused.count;
      const first = Math.max(row.nextAt, now);
      const left = (perDay ?? Number.POSITIVE_INFINITY) - row.used;
      const inTime = perSecond === undefined ? wanted : Math.ceil(((ahead - (first - now)) / 1_000) * perSecond);
      const whole = inTime > 0 && left > 0 && (left >= wanted || row.used === 0) ? wanted : 0;
      const granted = isOne ? whole : Math.max(0, Math.min(wanted, left, inTime));
      row.used += granted;
      row.nextAt = first + (perSecond === undefined ? 0 : (granted / perSecond) * 1_000);
      return { granted, wait: left < (isOne && row.used > granted ? wanted : 1) ? HOUR : first - now };
    },
  );
  const permits = new Permits('mx', () => limits, { take });
  const began = performance.now();
  const times: number[] = [];
  const taken = (count = 1, patience = 60_000) =>
    permits.take(count, patience).then((wait) => {
      if (wait === 0) times.push(Math.round(performance.now() - began));
      return wait;
    });
  return { permits, taken, times, take };
}

describe('Permits', () => {
  it('lets messages go one interval after the other, in order, with few statements', async () => {
    const { taken, times, take } = permitsWith({ perSecond: 50 });
    for (let n = 0; n < 200; n++) void taken();
    await jest.advanceTimersByTimeAsync(3_990);
    expect(times).toHaveLength(200);
    for (const [n, time] of times.entries()) expect(Math.abs(time - n * 20)).toBeLessThanOrEqual(20);
    expect(take.mock.calls.length).toBeLessThan(25);
  });

  it('takes one for each recipient, also for a message with more than a second has', async () => {
    const { taken, times } = permitsWith({ perSecond: 10 });
    void taken(25);
    void taken(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(times).toEqual([0]);
    await jest.advanceTimersByTimeAsync(700);
    expect(times).toHaveLength(2);
  });

  it('ends when a day is used up, and says when to come back', async () => {
    const { permits, taken, times, take } = permitsWith({ perDay: 3 });
    const waits = await Promise.all([taken(), taken(), taken(), taken()]);
    expect(times).toEqual([0, 0, 0]);
    expect(waits).toEqual([0, 0, 0, 900_000]);
    expect(permits.wait).toBe(900_000);
    const asked = take.mock.calls.length;
    expect(await taken()).toBe(900_000);
    expect(take).toHaveBeenCalledTimes(asked);
  });

  it('gives a message all of its permits at once, and one beyond a day a day of its own', async () => {
    const slow = permitsWith({ perSecond: 1 });
    expect(await slow.taken(50)).toBe(0);
    const behind = slow.taken(1, 30_000);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await behind).toBeGreaterThan(0);
    const small = permitsWith({ perDay: 5 });
    expect(await small.taken(8)).toBe(0);
    expect(await small.taken(1)).toBe(900_000);
  });

  it('lets those with fewer recipients by where one does not fit into the day', async () => {
    const { taken } = permitsWith({ perDay: 5 });
    expect(await Promise.all([taken(3), taken(4), taken(1), taken(1)])).toEqual([0, 900_000, 0, 0]);
  });

  it('returns the permits of messages that were not sent to their day', async () => {
    const { permits, taken, take } = permitsWith({ perDay: 2 });
    const day = '2026-12-01';
    jest.setSystemTime(new Date(`${day}T23:59:59Z`));
    expect([await taken(), await taken(), await taken()]).toEqual([0, 0, 900_000]);
    permits.giveBack(1, day);
    permits.giveBack(1, day);
    expect(await taken(2)).toBe(0);
    expect(take.mock.lastCall?.[5]).toEqual({ day, count: 2 });
    expect(await taken()).toBe(900_000);
    expect(take.mock.lastCall?.[5]).toEqual({ day: '', count: 0 });
    jest.setSystemTime(new Date('2026-12-02T00:00:01Z'));
    permits.giveBack(1, day);
    expect(permits.wait).toBeGreaterThan(0);
  });

  it('asks for a message to several when the coming permit of another one, that gave up, is for nobody', async () => {
    const { taken } = permitsWith({ perSecond: 2 });
    expect(await taken()).toBe(0);
    await jest.advanceTimersByTimeAsync(200);
    const first = taken(1, 100);
    await jest.advanceTimersByTimeAsync(150);
    expect(await first).toBe(1_000);
    const several = taken(2, 30_000);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await Promise.race([several, 'waits'])).toBe(0);
  });

  it('returns the permits of a message to several that gave up while they came', async () => {
    const { taken, take } = permitsWith({ perSecond: 2, perDay: 10 });
    expect(await taken()).toBe(0);
    await jest.advanceTimersByTimeAsync(200);
    const several = taken(2, 100);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await several).toBe(1_000);
    expect(await taken()).toBe(0);
    expect(take.mock.lastCall?.[5].count).toBe(2);
  });

  it('returns no permit of a day that is over, of one that gave up at midnight', async () => {
    const { taken, take } = permitsWith({ perSecond: 2, perDay: 10 });
    jest.setSystemTime(new Date('2026-12-01T23:59:59.500Z'));
    expect(await taken()).toBe(0);
    await jest.advanceTimersByTimeAsync(300);
    expect(await Promise.all([taken(1, 100), jest.advanceTimersByTimeAsync(1_000)])).toEqual([1_000, undefined]);
    expect(await taken()).toBe(0);
    expect(take.mock.lastCall?.[5].count).toBe(0);
  });

  it('keeps the distance between messages where permits are given back', async () => {
    const { permits, taken, times } = permitsWith({ perSecond: 2 });
    for (let n = 0; n < 6; n++) {
      expect(await taken(1, 10_000).finally(() => permits.giveBack(1, new Date().toISOString().slice(0, 10)))).toBe(0);
      await jest.advanceTimersByTimeAsync(10);
      if (n < 5) void jest.advanceTimersByTimeAsync(500);
    }
    for (const [n, time] of times.slice(1).entries()) expect(time - (times[n] ?? 0)).toBeGreaterThanOrEqual(490);
  });

  it('says when permits are near, and not when they come at once', async () => {
    const { permits } = permitsWith({ perSecond: 5 });
    const near = [jest.fn(), jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    for (const whenNear of near) void permits.take(1, 60_000, 0, whenNear);
    await jest.advanceTimersByTimeAsync(0);
    expect(near.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1, 0, 0]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(near.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1, 1, 1]);
  });

  it('lets so many messages wait for a slot that each second has enough', async () => {
    const { permits } = permitsWith({ perSecond: 2 });
    const entered = await Promise.all(Array.from({ length: 5 }, () => permits.enter(0)));
    expect(entered).toEqual(Array(5).fill(true));
    expect(permits.isFull).toBe(true);
    permits.leave();
    expect(permits.isFull).toBe(false);
  });

  it('ends all waits when it stops', async () => {
    const { permits, taken } = permitsWith({ perSecond: 1 });
    expect(await taken()).toBe(0);
    const second = taken();
    await jest.advanceTimersByTimeAsync(0);
    permits.stop();
    expect([await second, await taken(), await permits.enter(60_000)]).toEqual([1_000, 1_000, false]);
  });

  it('does not wait longer than the caller', async () => {
    const { taken } = permitsWith({ perSecond: 1 });
    void taken(20);
    const second = taken(1, 2_000);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await second).toBeGreaterThan(0);
  });

  it('puts off what waits while PostgreSQL is away, and goes on afterwards', async () => {
    const { taken, take } = permitsWith({ perDay: 10 });
    take.mockRejectedValueOnce(new Error('away'));
    expect(await Promise.all([taken(), taken()])).toEqual([1_000, 1_000]);
    expect(await taken()).toBe(0);
  });
});
