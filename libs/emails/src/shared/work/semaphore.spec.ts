import { jest } from '@jest/globals';
import { Semaphore } from './semaphore.js';

it('limits concurrent tasks, in order of arrival, also after failures', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (n: number) =>
    semaphore.run(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 1) throw new Error('no');
      return n;
    });
  const results = [1, 2, 3, 4].map(run);
  expect(begun).toEqual([1, 2]);
  ends[0]?.();
  await expect(results[0]).rejects.toThrow('no');
  expect(begun).toEqual([1, 2, 3]);
  ends[1]?.();
  ends[2]?.();
  expect(await results[2]).toBe(3);
  ends[3]?.();
  expect(await Promise.all(results.slice(1))).toEqual([2, 3, 4]);
  expect(await semaphore.run(async () => 5)).toBe(5);
});

describe('of weights', () => {
  it('grants permits up to the limit, and released ones again, in order of arrival', async () => {
    const semaphore = new Semaphore(100);
    await semaphore.acquire(60);
    await semaphore.acquire(40);
    const entered: string[] = [];
    const [large, small] = [semaphore.acquire(60), semaphore.acquire(1)];
    void large.then(() => entered.push('large'));
    void small.then(() => {
      entered.push('small');
      semaphore.release(1);
    });
    semaphore.release(60);
    await large;
    semaphore.release(60);
    await small;
    expect(entered).toEqual(['large', 'small']);
    expect(await semaphore.acquire(60)).toBe(true);
  });

  it('admits a task above the limit alone', async () => {
    const semaphore = new Semaphore(100);
    expect(await semaphore.acquire(1_000)).toBe(true);
    const next = semaphore.acquire(1);
    semaphore.release(1_000);
    expect(await next).toBe(true);
  });

  it('rejects a waiter after its timeout, and admits the ones behind it', async () => {
    jest.useFakeTimers();
    try {
      const semaphore = new Semaphore(100);
      await semaphore.acquire(60, 1_000);
      const large = semaphore.acquire(1_000, 1_000);
      await jest.advanceTimersByTimeAsync(999);
      const small = semaphore.acquire(1, 1_000);
      await jest.advanceTimersByTimeAsync(1);
      expect(await large).toBe(false);
      expect(await small).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});

it('rejects all once it is closed', async () => {
  const semaphore = new Semaphore(1);
  expect(semaphore.tryAcquire()).toBe(true);
  const waiting = semaphore.acquire();
  semaphore.close();
  expect(await waiting).toBe(false);
  semaphore.release();
  expect(semaphore.taken).toBe(0);
  expect(semaphore.tryAcquire()).toBe(false);
  expect(await semaphore.acquire()).toBe(false);
});

it('admits waiters when it grows, and none until enough have left when it shrinks', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const second = semaphore.acquire();
  semaphore.resize(2);
  expect(await second).toBe(true);
  semaphore.resize(1);
  semaphore.release();
  expect(semaphore.tryAcquire()).toBe(false);
  semaphore.release();
  expect(semaphore.tryAcquire()).toBe(true);
});
