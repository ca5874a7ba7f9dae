import { jest } from '@jest/globals';
import type { EmailsService } from '../../index.js';
import { FeedbackAlarms } from '../alarms/feedback-alarms.js';
import { BounceNotice } from '../bounce-notice.js';
import { ReputationWatch } from './reputation-watch.js';

function watch() {
  const done: string[] = [];
  const notice = new BounceNotice();
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
    new FeedbackAlarms(),
    notice,
    { step: async () => void done.push('look for bad hours'), isSuspected: async () => false },
    {},
  );
  return { done, notice, watching };
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
      const { done, notice, watching } = watch();
      watching.onApplicationBootstrap();
      await jest.advanceTimersByTimeAsync(0);
      done.length = 0;
      notice.note();
      await jest.advanceTimersByTimeAsync(5_000);
      notice.note();
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
