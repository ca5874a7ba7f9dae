import { hopBits } from './hop-bits.js';

describe('hopBits', () => {
  it('has one bit for each name, within a bigint of PostgreSQL', () => {
    const all = hopBits(Array.from({ length: 2_000 }, (_, n) => `mx${n}.test:25`));
    expect(all).toBe(2n ** 63n - 1n);
    expect(hopBits([])).toBe(0n);
    const one = hopBits(['mx.test:25']);
    expect(one & (one - 1n)).toBe(0n);
    expect(hopBits(['other.test:25', 'mx.test:25']) & one).toBe(one);
  });
});
