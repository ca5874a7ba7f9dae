import { jest } from '@jest/globals';
import { MemoryRoom } from './memory-room.js';

describe('MemoryRoom', () => {
  it('has room for so many bytes, and again when they were given back, in order of arrival', async () => {
    const room = new MemoryRoom(100);
    const giveBack = await room.enter(60);
    await room.enter(40);
    const entered: string[] = [];
    const [large, small] = [room.enter(60), room.enter(1)];
    void large.then(() => entered.push('large'));
    void small.then((give) => {
      entered.push('small');
      give?.();
    });
    giveBack?.();
    (await large)?.();
    await small;
    expect(entered).toEqual(['large', 'small']);
    expect(await room.enter(60)).toBeDefined();
  });

  it('lets in alone what is larger than all of it', async () => {
    const room = new MemoryRoom(100);
    const giveBack = await room.enter(1_000);
    const next = room.enter(1);
    giveBack?.();
    expect(await next).toBeDefined();
  });

  it('sends back who found no room in time, and lets in whom that one kept waiting', async () => {
    jest.useFakeTimers();
    try {
      const room = new MemoryRoom(100);
      await room.enter(60);
      const large = room.enter(1_000);
      await jest.advanceTimersByTimeAsync(999);
      const small = room.enter(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(await large).toBeUndefined();
      expect(await small).toBeDefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
