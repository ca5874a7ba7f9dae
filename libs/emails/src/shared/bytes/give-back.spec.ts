import { giveBack } from './give-back.js';

const MB = 1_000_000;

describe('giveBack', () => {
  it('gives memory back without a collection of garbage', () => {
    const before = process.memoryUsage().arrayBuffers;
    const pieces = Array.from({ length: 20 }, () => Buffer.alloc(10 * MB));
    expect(process.memoryUsage().arrayBuffers).toBeGreaterThan(before + 150 * MB);
    for (const piece of pieces) giveBack(piece);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + 50 * MB);
    expect(pieces.every(({ length }) => length === 0)).toBe(true);
  });

  it('leaves alone what shares its memory, and what is small', () => {
    const whole = Buffer.alloc(100_000, 'a');
    const small = Buffer.alloc(10_000, 'a');
    for (const bytes of [whole.subarray(1), whole.subarray(0, -1), small, Buffer.from('a'), Buffer.alloc(0)]) {
      giveBack(bytes);
    }
    expect(whole.equals(Buffer.alloc(100_000, 'a'))).toBe(true);
    expect(small).toHaveLength(10_000);
  });
});
