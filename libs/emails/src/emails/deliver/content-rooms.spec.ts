import { jest } from '@jest/globals';
import { ContentRooms } from './content-rooms.js';

const MEGABYTE = 1_000_000;

describe('ContentRooms', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([24, 12, 8, 3])(
    'has room for ordinary large emails while accounts fill it with emails of %d MB',
    async (size) => {
      const rooms = new ContentRooms(24 * MEGABYTE);
      for (const accountId of ['a', 'b', 'c']) {
        for (let n = 0; n < 8; n++) void rooms.acquire(accountId, size * MEGABYTE);
      }
      for (const bytes of [300_000, 2_100_000]) {
        let isAdmitted = false;
        void rooms.acquire('d', bytes).then((release) => {
          isAdmitted = release !== undefined;
        });
        await jest.advanceTimersByTimeAsync(0);
        expect(isAdmitted).toBe(true);
      }
    },
  );

  it('has room for larger emails while accounts fill it with ordinary ones', async () => {
    const rooms = new ContentRooms(24 * MEGABYTE);
    for (const accountId of ['a', 'b', 'c']) {
      for (let n = 0; n < 100; n++) void rooms.acquire(accountId, 300_000);
    }
    expect(await rooms.acquire('d', 24 * MEGABYTE)).toBeDefined();
  });
});
