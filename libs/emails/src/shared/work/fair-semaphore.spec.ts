import { FairSemaphore } from './fair-semaphore.js';

describe('FairSemaphore', () => {
  const order: string[] = [];
  const releases: (() => void)[] = [];

  beforeEach(() => {
    order.length = releases.length = 0;
  });

  async function acquire(semaphore: FairSemaphore, owner: string, signal?: AbortSignal): Promise<void> {
    const back = await semaphore.acquire(owner, signal);
    order.push(owner);
    releases.push(back);
  }

  it('admits a fixed number, half of them of one owner, the others in turn', async () => {
    const semaphore = new FairSemaphore(4);
    const owners = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'];
    const all = Promise.all(owners.map((owner) => acquire(semaphore, owner)));
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'a', 'b', 'b']);
    for (let at = 0; at < owners.length; at++) {
      releases[at]?.();
      await new Promise(setImmediate);
    }
    await all;
    expect(order).toEqual(['a', 'a', 'b', 'b', 'a', 'c', 'b', 'a']);
  });

  it('releases a permit once, even if called twice', async () => {
    const semaphore = new FairSemaphore(2);
    await acquire(semaphore, 'a');
    await acquire(semaphore, 'b');
    releases[0]?.();
    releases[0]?.();
    await acquire(semaphore, 'a');
    expect(semaphore.acquire('c')).toBeInstanceOf(Promise);
  });

  it('releases a task that gives up', async () => {
    const semaphore = new FairSemaphore(2);
    const aborted = new AbortController();
    await Promise.all([acquire(semaphore, 'a'), acquire(semaphore, 'b')]);
    const waiting = acquire(semaphore, 'c', aborted.signal);
    aborted.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(acquire(semaphore, 'd', aborted.signal)).rejects.toThrow('gone');
    releases[0]?.();
    await acquire(semaphore, 'e');
    expect(order).toEqual(['a', 'b', 'e']);
  });

  it('grants a single permit to one owner', async () => {
    await acquire(new FairSemaphore(1), 'a');
    expect(order).toEqual(['a']);
  });
});
