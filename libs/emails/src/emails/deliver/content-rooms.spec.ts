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

  /**
   * Each sends as a `DeliveryRun` does. The relay takes about the third figure for an email; the last one is the longest wait of
   * others. Seconds. There is room for two of 12 MB: then accounts wait for their turn.
   */
  it.each([
    [2, 2.2, 5, 5],
    [2, 2.2, 30, 30],
    [4, 2.2, 10, 10],
    [2, 0.4, 10, 10],
    [4, 12, 10, 50],
  ])(
    'serves others while %d accounts always have emails of %d MB waiting',
    async (accounts, megabytes, seconds, longest) => {
      const rooms = new ContentRooms(24 * MEGABYTE);
      const SPAN = 200_000;
      const end = performance.now() + SPAN;
      let seed = 1;
      const random = () => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      const send = async (accountId: string, bytes: number) => {
        const begun = performance.now();
        let release = await rooms.acquire(accountId, bytes);
        while (!release && performance.now() < begun + SPAN) {
          await sleep(1_000 + random() * 2_000);
          release = await rooms.acquire(accountId, bytes);
        }
        const waited = performance.now() - begun;
        await sleep(seconds * 1_000 * (0.7 + 0.6 * random()));
        release?.();
        return waited;
      };
      const keepSending = async (accountId: string) => {
        await sleep(random() * seconds * 1_000);
        while (performance.now() < end) await send(accountId, megabytes * MEGABYTE);
      };
      for (let n = 0; n < accounts * 60; n++) void keepSending(`busy${n % accounts}`);
      const size = megabytes > 2.25 ? 3 * MEGABYTE : 300_000;
      const waits = Array.from({ length: 5 }, async (_, n) => {
        await sleep((n + 2) * seconds * 1_000);
        return send(`other${n}`, size);
      });
      const steady = Array.from({ length: 10 }, async (_, n) => {
        await sleep((2 + n / 2) * seconds * 1_000);
        return send('steady', 300_000);
      });
      await jest.advanceTimersByTimeAsync(3 * SPAN);
      expect(Math.max(...(await Promise.all([...waits, ...steady])))).toBeLessThan(longest * 1_000);
    },
  );
});

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
