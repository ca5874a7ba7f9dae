import { jest } from '@jest/globals';
import { PeriodicTask } from './periodic-task.js';

describe('PeriodicTask', () => {
  it('runs at once and repeatedly, reports failures and continues', async () => {
    const failures: unknown[] = [];
    let runs = 0;
    const task = await new Promise<PeriodicTask>((resolve) => {
      const periodic: PeriodicTask = new PeriodicTask(
        async () => {
          runs++;
          if (runs === 1) throw new Error('first');
          if (runs === 3) resolve(periodic);
        },
        1,
        (error) => failures.push(error),
      );
      periodic.start();
    });
    await task.stop();
    expect(failures).toEqual([new Error('first')]);
  });

  it('continues work that has more to do, long before the interval ends', async () => {
    let left = 3;
    const task = await new Promise<PeriodicTask>((resolve) => {
      const periodic: PeriodicTask = new PeriodicTask(
        async () => {
          left--;
          if (left === 0) resolve(periodic);
          return left > 0;
        },
        3_600_000,
        () => {},
      );
      periodic.start();
    });
    await task.stop();
    expect(left).toBe(0);
  });

  it('runs once after a delay for all calls in between, and not after its stop', async () => {
    jest.useFakeTimers();
    try {
      let runs = 0;
      const task = new PeriodicTask(
        async () => void runs++,
        3_600_000,
        () => {},
      );
      task.start();
      await jest.advanceTimersByTimeAsync(0);
      for (let call = 0; call < 3; call++) task.wakeIn(1_000);
      await jest.advanceTimersByTimeAsync(999);
      expect(runs).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(runs).toBe(2);
      task.wakeIn(1_000);
      await task.stop();
      task.wakeIn(1_000);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(runs).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('runs at once when woken, also for a call during a run', async () => {
    const woken = { runs: 0, third: () => {} };
    const third = new Promise<void>((resolve) => {
      woken.third = resolve;
    });
    const task: PeriodicTask = new PeriodicTask(
      async () => {
        woken.runs++;
        if (woken.runs === 2) task.wake();
        if (woken.runs === 3) woken.third();
      },
      3_600_000,
      () => {},
    );
    task.start();
    await new Promise(setImmediate);
    expect(woken.runs).toBe(1);
    task.wake();
    await third;
    await task.stop();
    task.wake();
    await new Promise(setImmediate);
    expect(woken.runs).toBe(3);
  });

  it('waits for the current run when stopped, and starts no other', async () => {
    let runs = 0;
    let end = () => {};
    const task = new PeriodicTask(
      () => {
        runs++;
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
      0,
      () => {},
    );
    task.start();
    let stopped = false;
    const stopping = task.stop().then(() => {
      stopped = true;
    });
    await Promise.resolve();
    expect(stopped).toBe(false);
    end();
    await stopping;
    expect(runs).toBe(1);
  });
});
