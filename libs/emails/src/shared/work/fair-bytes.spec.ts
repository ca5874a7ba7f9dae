import { jest } from '@jest/globals';
import { FairBytes } from './fair-bytes.js';

const PATIENCE = 1_000;

describe('FairBytes', () => {
  const entered: string[] = [];
  let bytes: FairBytes;

  beforeEach(() => {
    jest.useFakeTimers();
    entered.length = 0;
    bytes = new FairBytes(100);
  });
  afterEach(() => jest.useRealTimers());

  /** Begins to acquire; the owner and the size of an admitted task are added to `entered`. */
  async function acquire(owner: string, size: number): Promise<void> {
    void bytes.acquire(owner, size, PATIENCE).then((acquired) => acquired && entered.push(`${owner}${size}`));
    await jest.advanceTimersByTimeAsync(0);
  }

  async function release(owner: string, size: number): Promise<void> {
    bytes.release(owner, size);
    await jest.advanceTimersByTimeAsync(0);
  }

  it('admits tasks up to the limit, and others after their release, in order of arrival', async () => {
    for (const size of [60, 40, 61, 1]) await acquire('a', size);
    expect(entered).toEqual(['a60', 'a40']);
    await release('a', 60);
    expect(entered).toEqual(['a60', 'a40']);
    await release('a', 40);
    expect(entered).toEqual(['a60', 'a40', 'a61', 'a1']);
  });

  it('admits a task above the limit alone', async () => {
    await acquire('a', 1_000);
    await acquire('a', 1);
    expect(entered).toEqual(['a1000']);
    await release('a', 1_000);
    expect(entered).toEqual(['a1000', 'a1']);
    expect(bytes.isIdle).toBe(false);
    await release('a', 1);
    expect(bytes.isIdle).toBe(true);
  });

  it('refuses a waiter after its timeout, and admits the ones behind it', async () => {
    await acquire('a', 60);
    const large = bytes.acquire('a', 1_000, PATIENCE);
    await jest.advanceTimersByTimeAsync(PATIENCE - 1);
    await acquire('a', 1);
    expect(entered).toEqual(['a60']);
    await jest.advanceTimersByTimeAsync(1);
    expect(await large).toBe(false);
    expect(entered).toEqual(['a60', 'a1']);
  });

  it.each([100, 1_000])('leaves half to the others while one owner holds %d of 100', async (size) => {
    await acquire('a', size);
    await acquire('b', 20);
    await acquire('c', 30);
    await acquire('c', 1);
    await acquire('d', 1);
    expect(entered).toEqual([`a${size}`, 'b20', 'c30']);
  });

  it('gives each owner at most half while others hold bytes or wait, and everything afterwards', async () => {
    await acquire('a', 40);
    await acquire('b', 10);
    await acquire('a', 20);
    expect(entered).toEqual(['a40', 'b10']);
    await release('b', 10);
    expect(entered).toEqual(['a40', 'b10', 'a20']);
  });

  it('gives an owner one task above half at a time, and the other half to others', async () => {
    for (const owner of ['a', 'a', 'b', 'b']) await acquire(owner, 70);
    await acquire('b', 1);
    expect(entered).toEqual(['a70', 'b70']);
    await release('b', 70);
    expect(entered).toEqual(['a70', 'b70', 'b70']);
  });

  it('lets owners take turns', async () => {
    for (const owner of ['a', 'b', 'c', 'c', 'd']) await acquire(owner, 50);
    for (const owner of ['a', 'b', 'c']) await release(owner, 50);
    expect(entered).toEqual(['a50', 'b50', 'c50', 'd50', 'c50']);
  });

  it('skips no owner that only waits for others', async () => {
    await acquire('a', 50);
    await acquire('b', 30);
    await acquire('c', 40);
    await acquire('d', 1);
    expect(entered).toEqual(['a50', 'b30']);
    await release('b', 30);
    expect(entered).toEqual(['a50', 'b30', 'c40', 'd1']);
  });

  it('serves the owner that holds least first', async () => {
    for (const size of [10, 40]) await acquire('a', size);
    await acquire('b', 50);
    await acquire('a', 30);
    await acquire('c', 40);
    await release('a', 40);
    expect(entered).toEqual(['a10', 'a40', 'b50', 'c40']);
    await release('b', 50);
    expect(entered.at(-1)).toBe('a30');
  });

  it('keeps the next task of an owner in line until it is served, if that asks for it and waits only for others', async () => {
    await acquire('a', 100);
    await acquire('b', 30);
    const given: (boolean | undefined)[] = [];
    ['a', 'c', 'c', 'd'].forEach((owner, at) => {
      void bytes.acquire(owner, 70, PATIENCE, owner !== 'd').then((acquired) => {
        given[at] = acquired;
      });
    });
    await jest.advanceTimersByTimeAsync(100 * PATIENCE);
    expect(given).toEqual([false, undefined, false, false]);
    await release('a', 100);
    expect(given[1]).toBe(true);
  });

  it('keeps tasks of at most twenty owners in line for that long', async () => {
    await acquire('a', 100);
    await acquire('b', 50);
    let refused = 0;
    for (let n = 0; n < 21; n++) {
      void bytes.acquire(`c${n}`, 50, PATIENCE, true).then((acquired) => {
        if (!acquired) refused++;
      });
    }
    await jest.advanceTimersByTimeAsync(100 * PATIENCE);
    expect(refused).toBe(1);
    await release('b', 50);
    await jest.advanceTimersByTimeAsync(0);
    expect(refused).toBe(1);
  });
});
