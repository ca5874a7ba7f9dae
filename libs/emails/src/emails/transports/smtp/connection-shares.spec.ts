import { ConnectionShares } from './connection-shares.js';

const quick = (name: string) => ({ name, speed: 'quick' as const });
const slow = (name: string) => ({ name, speed: 'slow' as const });
const unknown = (name: string) => ({ name, speed: undefined });

/** Acquires connections for one destination after the other, as many as allowed for each. Returns their number. */
function acquireAll(shares: ConnectionShares, destinations: Parameters<ConnectionShares['acquire']>[0][]): number {
  const before = shares.size;
  for (const destination of destinations) while (shares.mayAcquire(destination)) shares.acquire(destination);
  return shares.size - before;
}

const each = <T>(count: number, of: (name: string) => T, name = 'to') =>
  Array.from({ length: count }, (_, n) => of(`${name}${n}.test`));

describe('ConnectionShares', () => {
  it('reserve the last quarter for destinations that answer quickly, however many others hang', () => {
    const shares = new ConnectionShares(() => 20);
    expect(acquireAll(shares, each(100, unknown, 'hangs'))).toBe(15);
    const [first, ...others] = each(5, quick);
    expect(acquireAll(shares, [first])).toBe(1);
    expect(acquireAll(shares, others)).toBe(4);
    expect(shares.size).toBe(20);
  });

  it('reserve the third quarter for unknown destinations, not for those that hang or were slow', () => {
    const shares = new ConnectionShares(() => 20);
    const [one, ...more] = each(7, unknown, 'new');
    expect(acquireAll(shares, [one])).toBe(10);
    expect(acquireAll(shares, each(10, slow))).toBe(0);
    expect(acquireAll(shares, more)).toBe(5);
    shares.release('new1.test');
    expect(acquireAll(shares, [one, ...each(10, slow)])).toBe(0);
    expect(acquireAll(shares, each(10, quick))).toBe(6);
  });

  it('limit destinations with many messages to half, even when they answered quickly: they may begin to hang', () => {
    const shares = new ConnectionShares(() => 20);
    expect(acquireAll(shares, [quick('busy.test')])).toBe(10);
    expect(acquireAll(shares, each(10, unknown))).toBe(5);
    expect(acquireAll(shares, each(10, quick, 'good'))).toBe(5);
    for (let n = 0; n < 10; n++) shares.release('busy.test');
    expect(shares.size).toBe(10);
    shares.release('to0.test');
    expect(acquireAll(shares, [slow('slow.test')])).toBe(1);
  });

  it('have no limit for messages without a destination, nor with few connections', () => {
    let connections = 20;
    const shares = new ConnectionShares(() => connections);
    for (let n = 0; n < 40; n++) {
      expect(shares.mayAcquire(undefined)).toBe(true);
      shares.acquire(undefined);
    }
    for (let n = 0; n < 40; n++) shares.release(undefined);
    expect(shares.size).toBe(0);
    connections = 3;
    expect(acquireAll(shares, [slow('only.test')])).toBe(3);
    connections = 4;
    expect(acquireAll(shares, [quick('only.test'), slow('slow.test'), unknown('new.test')])).toBe(0);
    expect(acquireAll(shares, [quick('other.test')])).toBe(1);
  });
});
