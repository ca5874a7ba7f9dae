import { jest } from '@jest/globals';
import type { HousekeepingRepository, Step } from '../storage/housekeeping.repository.js';
import { FIRST_PLACE } from '../storage/housekeeping.repository.js';
import { HousekeepingService } from './housekeeping.service.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('HousekeepingService', () => {
  it('walks on from where it came to, and again over what it had to leave', async () => {
    jest.useFakeTimers();
    const asked: string[] = [];
    let steps: Step[] = [
      { last: 'a', unfinished: false },
      { last: 'b', unfinished: true },
      { last: 'c', unfinished: true },
    ];
    const repository = {
      deleteExpiredKeys: async () => 0,
      deleteOrphanedContents: async () => undefined,
      clearContents: async (place: string) => {
        asked.push(place);
        return steps.shift();
      },
    };
    const service = new HousekeepingService(repository as unknown as HousekeepingRepository, {
      content: DAY,
      events: undefined,
    });
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(asked.splice(0)).toEqual([FIRST_PLACE, 'a', 'b', 'c']);
    steps = [{ last: 'd', unfinished: false }];
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(asked.splice(0)).toEqual(['a', 'd']);
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(asked.splice(0)).toEqual(['d']);
    await service.beforeApplicationShutdown();
    jest.useRealTimers();
  });
});
