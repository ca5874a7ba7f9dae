import { jest } from '@jest/globals';
import { ContentRoom } from './content-room.js';

const quick = (name: string) => ({ name, speed: 'quick' as const });
const unknown = (name: string) => ({ name, speed: undefined });
const slow = (name: string) => ({ name, speed: 'slow' as const });

describe('ContentRoom', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** True when there is room in time. */
  const finds = async (asked: Promise<unknown>) => {
    await jest.advanceTimersByTimeAsync(2_000);
    return (await asked) !== undefined;
  };

  it('is all there where the next hop is the only destination, and one that is too large is alone', async () => {
    const room = new ContentRoom(100);
    const first = await room.take(60);
    expect(await finds(room.take(60))).toBe(false);
    const rest = await room.take(40);
    expect(await finds(room.take(1))).toBe(false);
    first?.();
    rest?.();
    const huge = await room.take(500);
    expect(await finds(room.take(1))).toBe(false);
    huge?.();
    expect(await finds(room.take(100))).toBe(true);
  });

  it('leaves half to destinations that answer quickly, however many others hang', async () => {
    const room = new ContentRoom(100);
    const first = await room.take(30, unknown('hangs0.test'));
    expect(await finds(room.take(30, unknown('hangs1.test')))).toBe(false);
    await room.take(20, slow('hangs2.test'));
    expect(await finds(room.take(1, unknown('hangs3.test')))).toBe(false);
    expect(await finds(room.take(50, quick('good.test')))).toBe(true);
    first?.();
    expect(await finds(room.take(30, unknown('hangs3.test')))).toBe(true);
  });

  it('gives no destination more than half, and only one email at a time that is larger than that', async () => {
    const room = new ContentRoom(100);
    const large = await room.take(99, quick('busy.test'));
    expect(await finds(room.take(1, quick('busy.test')))).toBe(false);
    expect(await finds(room.take(99, unknown('hangs.test')))).toBe(true);
    expect(await finds(room.take(1, quick('other.test')))).toBe(false);
    large?.();
    expect(await finds(room.take(1, quick('busy.test')))).toBe(true);
    expect(await finds(room.take(49, quick('other.test')))).toBe(true);
  });

  it('lets emails wait for a short time, those of one destination before those of all', async () => {
    const room = new ContentRoom(100);
    const first = await room.take(50, unknown('hangs.test'));
    const waiting = room.take(50, unknown('hangs.test'));
    expect(await room.take(50, quick('good.test'))).toBeDefined();
    first?.();
    expect(await waiting).toBeDefined();
  });
});
