import { Semaphore } from './semaphore.js';

it('lets so many run at the same time, in the order of their coming, also after failures', async () => {
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
