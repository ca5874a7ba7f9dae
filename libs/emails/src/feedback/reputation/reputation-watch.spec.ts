import { jest } from '@jest/globals';
import type { EmailsService } from '../../index.js';
import { ReputationDue } from './reputation-due.js';
import { ReputationWatch } from './reputation-watch.js';

function watch() {
  const done: string[] = [];
  const due = new ReputationDue();
  const watching = new ReputationWatch(
    {
      record: async () => {},
      findDue: async () => {
        done.push('find');
        return [{ accountId: 'one', wasHeld: false }];
      },
      check: async (accountId) => {
        done.push(`judge ${accountId}`);
        return undefined;
      },
      said: async () => {},
    },
    {} as EmailsService,
    { begin: async () => {}, end: async () => {} },
    due,
    { step: async () => void done.push('look for bad hours'), isSuspected: async () => false },
    {},
  );
  return { done, due, watching };
}
const LOOK = ['look for bad hours', 'find', 'judge one'];

describe('ReputationWatch', () => {
  it('judges after a look for bad hours, which takes refusals off the counts', async () => {
    const { done, watching } = watch();
    await watching.step();
    expect(done).toEqual(LOOK);
  });

  it('judges new bounces once every process has counted the recipients that belong to them', async () => {
    jest.useFakeTimers();
    try {
      const { done, due, watching } = watch();
      watching.onApplicationBootstrap();
      await jest.advanceTimersByTimeAsync(0);
      done.length = 0;
      due.note();
      await jest.advanceTimersByTimeAsync(5_000);
      due.note();
      await jest.advanceTimersByTimeAsync(1_999);
      expect(done).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(done).toEqual(LOOK);
      await watching.beforeApplicationShutdown();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
