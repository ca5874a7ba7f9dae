import { ConnectionShares } from './connection-shares.js';

const quick = (name: string) => ({ name, speed: 'quick' as const });
const slow = (name: string) => ({ name, speed: 'slow' as const });
const unknown = (name: string) => ({ name, speed: undefined });

/** Takes connections for one destination after the other, each as often as it may. Says how many there were. */
function takeAll(shares: ConnectionShares, destinations: Parameters<ConnectionShares['take']>[0][]): number {
  const before = shares.size;
  for (const destination of destinations) while (shares.mayTake(destination)) shares.take(destination);
  return shares.size - before;
}

const each = <T>(count: number, of: (name: string) => T, name = 'to') =>
  Array.from({ length: count }, (_, n) => of(`${name}${n}.test`));

describe('ConnectionShares', () => {
  it('leave the last quarter to destinations that answer quickly, however many others hang', () => {
    const shares = new ConnectionShares(() => 20);
    expect(takeAll(shares, each(100, unknown, 'hangs'))).toBe(15);
    const [first, ...others] = each(5, quick);
    expect(takeAll(shares, [first])).toBe(1);
    expect(takeAll(shares, others)).toBe(4);
    expect(shares.size).toBe(20);
  });

  it('leave the third quarter to destinations of which nothing is known, not to those that hang or were slow', () => {
    const shares = new ConnectionShares(() => 20);
    const [one, ...more] = each(7, unknown, 'new');
    expect(takeAll(shares, [one])).toBe(10);
    expect(takeAll(shares, each(10, slow))).toBe(0);
    expect(takeAll(shares, more)).toBe(5);
    shares.leave('new1.test');
    expect(takeAll(shares, [one, ...each(10, slow)])).toBe(0);
    expect(takeAll(shares, each(10, quick))).toBe(6);
  });

  it('give half to destinations that answered quickly and have many messages: they may begin to hang', () => {
    const shares = new ConnectionShares(() => 20);
    expect(takeAll(shares, [quick('busy.test')])).toBe(10);
    expect(takeAll(shares, each(10, unknown))).toBe(5);
    expect(takeAll(shares, each(10, quick, 'good'))).toBe(5);
    for (let taken = 0; taken < 10; taken++) shares.leave('busy.test');
    expect(shares.size).toBe(10);
    shares.leave('to0.test');
    expect(takeAll(shares, [slow('slow.test')])).toBe(1);
  });

  it('divide nothing among messages without a destination, nor where there are few connections', () => {
    let connections = 20;
    const shares = new ConnectionShares(() => connections);
    for (let taken = 0; taken < 40; taken++) {
      expect(shares.mayTake(undefined)).toBe(true);
      shares.take(undefined);
    }
    for (let taken = 0; taken < 40; taken++) shares.leave(undefined);
    expect(shares.size).toBe(0);
    connections = 3;
    expect(takeAll(shares, [slow('only.test')])).toBe(3);
    connections = 4;
    expect(takeAll(shares, [quick('only.test'), slow('slow.test'), unknown('new.test')])).toBe(0);
    expect(takeAll(shares, [quick('other.test')])).toBe(1);
  });
});
