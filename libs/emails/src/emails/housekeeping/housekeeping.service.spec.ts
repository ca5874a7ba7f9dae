import { jest } from '@jest/globals';
import type { HousekeepingRepository, Step, Stretch } from '../storage/keep/housekeeping.repository.js';
import { FIRST_PLACE } from '../storage/keep/housekeeping.repository.js';
import { HousekeepingService } from './housekeeping.service.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('HousekeepingService', () => {
  it('continues where it stopped, and asks by id for emails that it had to leave', async () => {
    jest.useFakeTimers();
    const asked: Stretch[] = [];
    const past = (after: string): Stretch => ({ from: 'past', after });
    let steps: Step[] = [
      { last: 'a', unfinished: [] },
      { last: 'b', unfinished: ['b'] },
      { last: 'c', unfinished: ['c1', 'c2'] },
    ];
    const repository = {
      deleteExpiredKeys: async () => 0,
      deleteExpiredAnswers: async () => 0,
      deleteOrphanedContents: async () => undefined,
      clearContents: async (stretch: Stretch) => {
        if ('from' in stretch && stretch.from === 'ahead') return undefined;
        asked.push(stretch);
        return steps.shift();
      },
    };
    const counts = { fold: async () => 0 };
    const actions = { deleteOld: async () => 0 };
    const service = new HousekeepingService(repository as unknown as HousekeepingRepository, counts, actions, {
      content: DAY,
      events: undefined,
    });
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(asked.splice(0)).toEqual([past(FIRST_PLACE), past('a'), past('b'), past('c')]);
    steps = [
      { last: 'c2', unfinished: ['c1'] },
      { last: 'd', unfinished: [] },
    ];
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(asked.splice(0)).toEqual([{ ids: ['b', 'c1', 'c2'] }, past('c'), past('d')]);
    steps = [{ last: 'c1', unfinished: [] }];
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(asked.splice(0)).toEqual([{ ids: ['c1'] }, past('d')]);
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(asked.splice(0)).toEqual([past('d')]);
    await service.beforeApplicationShutdown();
    jest.useRealTimers();
  });
});
