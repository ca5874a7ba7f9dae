import { MemoryRoom } from './memory-room.js';

describe('MemoryRoom', () => {
  it('has room for so many bytes, and again when they were given back', () => {
    const room = new MemoryRoom(100);
    const first = room.take(60);
    expect(room.take(40)).toBeDefined();
    expect(room.take(1)).toBeUndefined();
    first?.();
    expect(room.take(60)).toBeDefined();
  });

  it('lets in alone what is larger than all of it', () => {
    const room = new MemoryRoom(100);
    const giveBack = room.take(1_000);
    expect(giveBack).toBeDefined();
    expect(room.take(1)).toBeUndefined();
    giveBack?.();
    expect(room.take(1)).toBeDefined();
    expect(room.take(1_000)).toBeUndefined();
  });
});
