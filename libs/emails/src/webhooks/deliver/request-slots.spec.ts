import { setMaxListeners } from 'node:events';
import { RequestSlots } from './request-slots.js';

describe('RequestSlots', () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);

  /** How many of so many begin at once. */
  async function begun(slots: RequestSlots, accounts: number, each: number, answers: boolean): Promise<number> {
    let count = 0;
    for (let account = 0; account < accounts; account++) {
      for (let n = 0; n < each; n++) void slots.take(`${answers} ${account}`, answers, signal).then(() => count++);
    }
    await new Promise(setImmediate);
    return count;
  }

  it('keeps half of them for endpoints that are known to answer', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 1_000, 10, false)).toBe(250);
    expect(await begun(slots, 250, 1, true)).toBe(250);
  });

  it('gives one account as many as ten endpoints take at most', async () => {
    expect(await begun(new RequestSlots(), 1, 1_000, true)).toBe(100);
  });

  it('gives each account some, though 21 of them want all they can get', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 21, 20, true)).toBeLessThan(500);
    await expect(slots.take('another', true, signal)).resolves.toEqual(expect.any(Function));
  });

  it('gives back what it took for one that stopped waiting', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 500, 1, true)).toBe(500);
    const gone = new AbortController();
    const waiting = slots.take('gone', false, gone.signal);
    await new Promise(setImmediate);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
