import { jest } from '@jest/globals';
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
    expect(admitted).toEqual(destination ? [...'aabcaaaa'] : [...'aaabcaaa']);
  });
});
