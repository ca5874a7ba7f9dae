import { setImmediate } from 'node:timers/promises';
import { Batcher } from './batcher.js';

/** A run that ends on demand. */
function controlled() {
  const runs: { items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      runs.push({ items, end: () => resolve(items.map((item) => `r${item}`)), fail: reject });
    });
  return { runs, run };
}

/** Waits until this many runs have started. */
async function turn(runs: readonly unknown[], count: number): Promise<void> {
  while (runs.length < count) await setImmediate();
}

describe('Batcher', () => {
  it('runs calls of the same turn together, and later arrivals in the next run, in order', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10 });
    const results = Promise.all([1, 2].map((item) => batcher.add(item)));
    await turn(runs, 1);
    expect(runs[0]!.items).toEqual([1, 2]);
    const later = Promise.all([3, 4].map((item) => batcher.add(item)));
    expect(batcher.size).toBe(2);
    runs[0]!.end();
    await turn(runs, 2);
    expect(runs[1]!.items).toEqual([3, 4]);
    runs[1]!.end();
    expect(await results).toEqual(['r1', 'r2']);
    expect(await later).toEqual(['r3', 'r4']);
    expect(batcher.size).toBe(0);
  });

  it('never runs more than maxSize items together', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher(
      async (items: number[]) => {
        sizes.push(items.length);
        return items;
      },
      { maxSize: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map((item) => batcher.add(item)));
    expect(sizes).toEqual([2, 2, 2]);
  });

  it('fails all calls of a failed run and continues with the next', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10 });
    const first = batcher.add(1);
    await turn(runs, 1);
    const second = batcher.add(2);
    runs[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await turn(runs, 2);
    runs[1]!.end();
    expect(await second).toBe('r2');
  });

  it('splits a failed run until the bad item fails alone, in few runs', async () => {
    let runs = 0;
    const batcher = new Batcher(
      async (items: number[]) => {
        runs++;
        if (items.includes(133)) throw new Error('bad item');
        return items;
      },
      { maxSize: 200, mayDivide: () => true },
    );
    const items = Array.from({ length: 200 }, (_, item) => item);
    const results = await Promise.allSettled(items.map((item) => batcher.add(item)));
    expect(results.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([133]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 133))).toEqual(items);
    expect(runs).toBeLessThanOrEqual(17);
  });

  it('does not split a run whose failure does not allow it', async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      throw new Error('away');
    };
    const batcher = new Batcher(run, { maxSize: 10, mayDivide: (error) => (error as Error).message !== 'away' });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  it('with a pace collects more items before it runs again', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, pace: 500 });
    const started = performance.now();
    const results = [batcher.add(1)];
    await turn(runs, 1);
    results.push(batcher.add(2));
    runs[0]!.end();
    await results[0];
    results.push(batcher.add(3));
    await turn(runs, 2);
    expect(performance.now() - started).toBeGreaterThan(498);
    expect(runs[1]!.items).toEqual([2, 3]);
    runs[1]!.end();
    await Promise.all(results);
  });

  it('with a pace does not wait when idle, nor when a run is full', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, pace: 3_600_000 });
    const one = batcher.add(1);
    await turn(runs, 1);
    runs[0]!.end();
    await one;
    await setImmediate();
    const two = batcher.add(2);
    await turn(runs, 2);
    const full = [batcher.add(3), batcher.add(4)];
    runs[1]!.end();
    await two;
    await turn(runs, 3);
    expect(runs[2]!.items).toEqual([3, 4]);
    runs[2]!.end();
    await Promise.all(full);
  });

  it('with a slow pace runs again as soon as enough wait', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, slowPace: 3_600_000, enough: () => 3 });
    const first = batcher.add(1);
    await turn(runs, 1);
    const later = [batcher.add(2), batcher.add(3)];
    runs[0]!.end();
    await first;
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(runs).toHaveLength(1);
    later.push(batcher.add(4));
    await turn(runs, 2);
    expect(runs[1]!.items).toEqual([2, 3, 4]);
    runs[1]!.end();
    expect(await Promise.all(later)).toEqual(['r2', 'r3', 'r4']);
  });

  it('with a slow pace runs again as soon as a run is full, below the number that is enough', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, slowPace: 3_600_000, enough: () => 3 });
    const all = [batcher.add(1)];
    await turn(runs, 1);
    all.push(batcher.add(2));
    runs[0]!.end();
    await all[0];
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(runs).toHaveLength(1);
    all.push(batcher.add(3));
    await turn(runs, 2);
    runs[1]!.end();
    expect(await Promise.all(all)).toEqual(['r1', 'r2', 'r3']);
  });

  it('runs again at once for an urgent item, once, and with those that wait', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, pace: 3_600_000, slowPace: 3_600_000, enough: () => 5 });
    const all = [batcher.add(1)];
    await turn(runs, 1);
    all.push(batcher.add(2));
    runs[0]!.end();
    await all[0];
    all.push(batcher.add(3, true));
    await turn(runs, 2);
    expect(runs[1]!.items).toEqual([2, 3]);
    all.push(batcher.add(4));
    runs[1]!.end();
    await all[1];
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(runs).toHaveLength(2);
    all.push(batcher.add(5, true));
    await turn(runs, 3);
    runs[2]!.end();
    await Promise.all(all);
  });

  it('keeps an urgent item beyond a full run urgent', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 2, pace: 3_600_000 });
    const all = [batcher.add(1), batcher.add(2), batcher.add(3, true)];
    await turn(runs, 1);
    runs[0]!.end();
    await turn(runs, 2);
    runs[1]!.end();
    expect(await Promise.all(all)).toEqual(['r1', 'r2', 'r3']);
  });

  it('with a slow pace runs again at last with fewer', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, slowPace: 50, enough: () => 3 });
    const both = [batcher.add(1)];
    await turn(runs, 1);
    both.push(batcher.add(2));
    runs[0]!.end();
    await turn(runs, 2);
    runs[1]!.end();
    expect(await Promise.all(both)).toEqual(['r1', 'r2']);
  });

  it('runs again without a rest as soon as all expected work waits, or ended without an item', async () => {
    const { runs, run } = controlled();
    const batcher = new Batcher(run, { maxSize: 10, pace: 3_600_000, slowPace: 3_600_000, enough: () => 5 });
    const gates = Array.from({ length: 3 }, () => {
      let open = (_adds: boolean) => {};
      const opened = new Promise<boolean>((resolve) => {
        open = resolve;
      });
      return { open, opened };
    });
    const first = batcher.add(0);
    await turn(runs, 1);
    const all = gates.map(({ opened }, index) =>
      batcher.expect(async () => ((await opened) ? batcher.add(index + 1) : 'none')),
    );
    gates[0]!.open(true);
    gates[1]!.open(true);
    await Promise.all(gates.slice(0, 2).map(({ opened }) => opened));
    runs[0]!.end();
    await first;
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(runs).toHaveLength(1);
    gates[2]!.open(false);
    await turn(runs, 2);
    expect(runs[1]!.items).toEqual([1, 2]);
    runs[1]!.end();
    expect(await Promise.all(all)).toEqual(['r1', 'r2', 'none']);
  });
});
