import { setMaxListeners } from 'node:events';
import type { Responsiveness } from './endpoint-window.js';
import { RequestSlots } from './request-slots.js';

describe('RequestSlots', () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);

  /** How many of this number start at once. */
  async function begun(slots: RequestSlots, accounts: number, each: number, kind: Responsiveness): Promise<number> {
    let count = 0;
    for (let account = 0; account < accounts; account++) {
      for (let n = 0; n < each; n++) void slots.acquire(`${kind} ${account}`, kind, signal).then(() => count++);
    }
    await new Promise(setImmediate);
    return count;
  }

  it('reserves half of them for responsive endpoints, and some for those that have not answered yet', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 1_000, 10, 'doubtful')).toBe(100);
    expect(await begun(slots, 1_000, 10, 'unknown')).toBe(150);
    expect(await begun(slots, 250, 1, 'responsive')).toBe(250);
  });

  it('limits one account to the requests of ten endpoints', async () => {
    expect(await begun(new RequestSlots(), 1, 1_000, 'responsive')).toBe(100);
  });

  it('gives each account some while 21 accounts want all', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 21, 20, 'responsive')).toBeLessThan(500);
    await expect(slots.acquire('another', 'responsive', signal)).resolves.toEqual(expect.any(Function));
  });

  it('releases the slot of a waiter that was aborted', async () => {
    const slots = new RequestSlots();
    expect(await begun(slots, 500, 1, 'responsive')).toBe(500);
    const aborted = new AbortController();
    const waiting = slots.acquire('gone', 'doubtful', aborted.signal);
    await new Promise(setImmediate);
    aborted.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
