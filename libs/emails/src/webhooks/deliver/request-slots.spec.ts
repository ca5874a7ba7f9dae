import { setMaxListeners } from 'node:events';
import { RequestSlots } from './request-slots.js';

describe('RequestSlots', () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);

  /** How many of this number start at once. */
  async function begun(slots: RequestSlots, accounts: number, each: number, answers: boolean): Promise<number> {
    let count = 0;
    for (let account = 0; account < accounts; account++) {
      for (let n = 0; n < each; n++) void slots.acquire(`${answers} ${account}`, answers, signal).then(() => count++);
    }
    await new Promise(setImmediate);
    return count;
  }

  it('reserves half of them for responsive endpoints', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 1_000, 10, false)).toBe(250);
    expect(await begun(slots, 250, 1, true)).toBe(250);
  });

  it('limits one account to the requests of ten endpoints', async () => {
    expect(await begun(new RequestSlots(), 1, 1_000, true)).toBe(100);
  });

  it('gives each account some while 21 accounts want all', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 21, 20, true)).toBeLessThan(500);
    await expect(slots.acquire('another', true, signal)).resolves.toEqual(expect.any(Function));
  });

  it('releases the slot of a waiter that was aborted', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 500, 1, true)).toBe(500);
    const aborted = new AbortController();
    const waiting = slots.acquire('gone', false, aborted.signal);
    await new Promise(setImmediate);
    aborted.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
