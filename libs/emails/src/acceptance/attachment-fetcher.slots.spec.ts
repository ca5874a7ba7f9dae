import { Slots } from './attachment-fetcher.slots.js';

describe('Slots', () => {
  it('runs a set number at the same time, the others in turn', async () => {
    const slots = new Slots(2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const runs = [0, 1, 2, 3, 4].map((task) =>
      slots.run(() => {
        started.push(task);
        return new Promise<void>((resolve, reject) =>
          finish.push(task === 1 ? () => reject(new Error('failed')) : resolve),
        );
      }, 10_000),
    );
    const outcome = Promise.allSettled(runs);
    for (let done = 0; done < 5; done++) {
      await new Promise(setImmediate);
      expect(started).toEqual([0, 1, 2, 3, 4].slice(0, done + 2));
      finish[done]?.();
    }
    expect((await outcome).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('lets nobody wait longer than told, and then forgets them', async () => {
    const slots = new Slots(1);
    let finish = () => {};
    const first = slots.run(() => new Promise<void>((resolve) => (finish = resolve)), 10_000);
    let ran = false;
    await expect(slots.run(async () => (ran = true), 10)).rejects.toThrow();
    finish();
    await first;
    expect(ran).toBe(false);
    await expect(slots.run(async () => 'free', 10)).resolves.toBe('free');
  });
});
