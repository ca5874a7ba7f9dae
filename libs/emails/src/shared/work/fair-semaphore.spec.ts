import { FairSemaphore } from './fair-semaphore.js';

describe('FairSemaphore', () => {
  const order: string[] = [];
  const giveBack: (() => void)[] = [];

  beforeEach(() => {
    order.length = giveBack.length = 0;
  });

  async function take(semaphore: FairSemaphore, owner: string, signal?: AbortSignal): Promise<void> {
    const back = await semaphore.take(owner, signal);
    order.push(owner);
    giveBack.push(back);
  }

  it('lets a set number in, half of them of one owner, the others in turn', async () => {
    const semaphore = new FairSemaphore(4);
    const owners = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'];
    const all = Promise.all(owners.map((owner) => take(semaphore, owner)));
    await new Promise(setImmediate);
    expect(order).toEqual(['a', 'a', 'b', 'b']);
    for (let at = 0; at < owners.length; at++) {
      giveBack[at]?.();
      await new Promise(setImmediate);
    }
    await all;
    expect(order).toEqual(['a', 'a', 'b', 'b', 'a', 'c', 'b', 'a']);
  });

  it('is given back once, however often that is said', async () => {
    const semaphore = new FairSemaphore(2);
    await take(semaphore, 'a');
    await take(semaphore, 'b');
    giveBack[0]?.();
    giveBack[0]?.();
    await take(semaphore, 'a');
    expect(semaphore.take('c')).toBeInstanceOf(Promise);
  });

  it('lets go of whoever gives up', async () => {
    const semaphore = new FairSemaphore(2);
    const gone = new AbortController();
    await Promise.all([take(semaphore, 'a'), take(semaphore, 'b')]);
    const waiting = take(semaphore, 'c', gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(take(semaphore, 'd', gone.signal)).rejects.toThrow('gone');
    giveBack[0]?.();
    await take(semaphore, 'e');
    expect(order).toEqual(['a', 'b', 'e']);
  });

  it('has one permit for one owner where there is one', async () => {
    await take(new FairSemaphore(1), 'a');
    expect(order).toEqual(['a']);
  });
});
