import { jest } from '@jest/globals';
import type { Destination } from '../ports/email-transport.js';
import { ContentRoom } from './content-room.js';

const quick = (name: string) => ({ name, speed: 'quick' as const });
const unknown = (name: string) => ({ name, speed: undefined });
const slow = (name: string) => ({ name, speed: 'slow' as const });

describe('ContentRoom', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Resolves with true when room was acquired in time. */
  const finds = async (asked: Promise<unknown>) => {
    await jest.advanceTimersByTimeAsync(2_000);
    return (await asked) !== undefined;
  };

  it('is undivided where the next hop is the only destination, and admits an oversized content alone', async () => {
    const room = new ContentRoom(100);
    const first = await room.acquire('a', 60);
    expect(await finds(room.acquire('a', 60))).toBe(false);
    const rest = await room.acquire('a', 40);
    expect(await finds(room.acquire('a', 1))).toBe(false);
    first?.();
    rest?.();
    const huge = await room.acquire('a', 500);
    expect(await finds(room.acquire('a', 1))).toBe(false);
    huge?.();
    expect(await finds(room.acquire('a', 100))).toBe(true);
  });

  it('reserves half for destinations that answer quickly, however many others hang', async () => {
    const room = new ContentRoom(100);
    const first = await room.acquire('a', 30, unknown('hangs0.test'));
    expect(await finds(room.acquire('a', 30, unknown('hangs1.test')))).toBe(false);
    await room.acquire('a', 20, slow('hangs2.test'));
    expect(await finds(room.acquire('a', 1, unknown('hangs3.test')))).toBe(false);
    expect(await finds(room.acquire('a', 50, quick('good.test')))).toBe(true);
    first?.();
    expect(await finds(room.acquire('a', 30, unknown('hangs3.test')))).toBe(true);
  });

  it('gives no destination more than half, and admits one oversized email at a time', async () => {
    const room = new ContentRoom(100);
    const large = await room.acquire('a', 99, quick('busy.test'));
    expect(await finds(room.acquire('a', 1, quick('busy.test')))).toBe(false);
    expect(await finds(room.acquire('a', 99, unknown('hangs.test')))).toBe(true);
    expect(await finds(room.acquire('a', 1, quick('other.test')))).toBe(false);
    large?.();
    expect(await finds(room.acquire('a', 1, quick('busy.test')))).toBe(true);
    expect(await finds(room.acquire('a', 49, quick('other.test')))).toBe(true);
  });

  it('makes emails wait for a short time, first for the half of their destination, then for the whole', async () => {
    const room = new ContentRoom(100);
    const first = await room.acquire('a', 50, unknown('hangs.test'));
    const waiting = room.acquire('a', 50, unknown('hangs.test'));
    expect(await room.acquire('a', 50, quick('good.test'))).toBeDefined();
    first?.();
    expect(await waiting).toBeDefined();
  });

  it.each([undefined, quick('good.test')])('lets accounts take turns that wait for it', async (destination) => {
    const room = new ContentRoom(200);
    const admitted: string[] = [];
    const hold = async (accountId: string) => {
      const release = await room.acquire(accountId, 100, destination);
      if (release) admitted.push(accountId);
      setTimeout(() => release?.(), 100);
    };
    for (const accountId of ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c']) void hold(accountId);
    await jest.advanceTimersByTimeAsync(900);
    expect(admitted).toEqual(destination ? [...'abacaaaa'] : [...'aabacaaa']);
  });

  describe('while one account always has large emails waiting', () => {
    const SPAN = 60_000;
    const NO_ROOM = 2_000;

    /** Sends one email as a `DeliveryRun` does. Resolves with the time until it had room; undefined if it had none. */
    const send = async (room: ContentRoom, email: SimulatedEmail) => {
      const begun = performance.now();
      while (performance.now() < begun + SPAN) {
        const release = await room.acquire(email.accountId, email.bytes, email.destination);
        if (release) {
          const waited = performance.now() - begun;
          await sleep(email.takes);
          release();
          return waited;
        }
        await sleep(NO_ROOM);
      }
      return undefined;
    };

    it.each([
      [12, 24, 3],
      [12, 5, 3],
      [12, 24, 10],
      [24, 12, 3],
    ])('gives others room at once: %d emails of %d MB, each sent in %d s', async (count, megabytes, seconds) => {
      for (const { theirs, own } of [
        { theirs: [undefined], own: undefined },
        { theirs: [unknown('hangs.test')], own: unknown('good.test') },
        { theirs: [quick('busy.test'), quick('other.test')], own: quick('busy.test') },
      ]) {
        const room = new ContentRoom(24_000_000);
        const large = { accountId: 'a', bytes: megabytes * 1_000_000, takes: seconds * 1_000 };
        const end = performance.now() + SPAN;
        const keepWaiting = async (n: number) => {
          await sleep((n * 3_000) / count);
          while (performance.now() < end) await send(room, { ...large, destination: theirs[n % theirs.length] });
        };
        for (let n = 0; n < count; n++) void keepWaiting(n);
        const waits = Array.from({ length: 20 }, async (_, n) => {
          await sleep(5_000 + n * 1_500);
          return send(room, { accountId: `b${n}`, bytes: 300_000, takes: 50, destination: own });
        });
        await jest.advanceTimersByTimeAsync(3 * SPAN);
        expect(await Promise.all(waits)).toEqual(Array(20).fill(0));
      }
    });
  });
});

interface SimulatedEmail {
  accountId: string;
  bytes: number;
  /** Time of sending. Milliseconds. */
  takes: number;
  destination: Destination | undefined;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
