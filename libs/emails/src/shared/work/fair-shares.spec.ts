import { setMaxListeners } from 'node:events';
import { FairShares } from './fair-shares.js';

describe('FairShares', () => {
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const { signal } = new AbortController();
  setMaxListeners(0, signal);

  beforeEach(() => {
    order.length = releases.length = 0;
  });

  async function acquire(shares: FairShares, owner: string, until: AbortSignal = signal): Promise<void> {
    const back = await shares.acquire(owner, until);
    order.push(owner);
    releases.push(back);
  }

  const many = (owner: string, count: number) => Array.from({ length: count }, () => owner);
  const countOf = (owner: string) => order.filter((one) => one === owner).length;

  it.each([
    [1, 50, 25],
    [1 / 4, 20, 16],
  ])('with a share of %d gives %d of a hundred to one owner, and then %d to another', async (share, first, second) => {
    const shares = new FairShares(100, share);
    for (const owner of [...many('a', 100), ...many('b', 100)]) void acquire(shares, owner);
    await new Promise(setImmediate);
    expect([countOf('a'), countOf('b')]).toEqual([first, second]);
  });

  it('converges to equal shares, with one free for a new owner, while each owner wants all', async () => {
    const shares = new FairShares(100, 1);
    const owners = Array.from({ length: 9 }, (_, n) => `owner ${n}`);
    for (const owner of owners) for (let n = 0; n < 1_000; n++) void acquire(shares, owner);
    const running = new Map<string, number>();
    for (let ended = 0; ended < 2_000; ended++) {
      await new Promise(setImmediate);
      releases[ended]?.();
    }
    await new Promise(setImmediate);
    for (const owner of order.slice(2_000)) running.set(owner, (running.get(owner) ?? 0) + 1);
    const counts = owners.map((owner) => running.get(owner) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(9);
    expect(Math.max(...counts)).toBeLessThanOrEqual(11);
    await acquire(shares, 'new');
    expect(order.at(-1)).toBe('new');
  });

  it('grants a released permit to the owner whose turn it is', async () => {
    const shares = new FairShares(4, 1);
    for (const owner of ['a', 'a', 'b', 'b', 'c', 'c']) void acquire(shares, owner);
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'a', 'b', 'c']);
    releases[0]?.();
    releases[2]?.();
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'b']);
    releases[3]?.();
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'b', 'c']);
  });

  it('forgets an owner that gives up, whether it waits or not', async () => {
    const shares = new FairShares(2, 1);
    const aborted = new AbortController();
    await acquire(shares, 'a');
    const waiting = acquire(shares, 'a', aborted.signal);
    aborted.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(acquire(shares, 'b', aborted.signal)).rejects.toThrow('gone');
    releases[0]?.();
    await Promise.all([acquire(shares, 'b'), acquire(shares, 'c')]);
    expect(order).toEqual(['a', 'b', 'c']);
  });
});
