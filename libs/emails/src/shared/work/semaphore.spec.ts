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

it('rejects a waiter after its timeout, and admits the ones behind it', async () => {
  jest.useFakeTimers();
  try {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const first = semaphore.acquire(1_000);
    await jest.advanceTimersByTimeAsync(999);
    const second = semaphore.acquire(1_000);
    await jest.advanceTimersByTimeAsync(1);
    expect(await first).toBe(false);
    semaphore.release();
    expect(await second).toBe(true);
  } finally {
    jest.useRealTimers();
  }
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
