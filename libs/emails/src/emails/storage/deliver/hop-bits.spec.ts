import { HopBits, hopBits } from './hop-bits.js';

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

describe('HopBits', () => {
  const names = Array.from({ length: 40 }, (_, n) => `mx${n}.test:25`);

  it('has another bit for each configured hop, the same in any order', () => {
    const bits = new HopBits(names);
    expect(new Set(names.map((name) => bits.of(name))).size).toBe(40);
    const others = new HopBits([...names].reverse());
    expect(names.map((name) => others.of(name))).toEqual(names.map((name) => bits.of(name)));
    expect(new HopBits(['mx1.test:25']).of('mx1.test:25')).toBe(hopBits(['mx1.test:25']));
  });

  it('shares bits among other hops only, until there are too many', () => {
    const bits = new HopBits(names);
    const configured = new Set(names.map((name) => bits.of(name)));
    const own = Array.from({ length: 200 }, (_, n) => bits.of(`account-${n}`));
    expect(own.filter((bit) => configured.has(bit))).toEqual([]);
    for (const bit of own) expect(bit > 0n && bit < 1n << 63n).toBe(true);
    const many = new HopBits(Array.from({ length: 70 }, (_, n) => `${n}`));
    expect(many.of('other')).toBe(hopBits(['other']));
  });
});
