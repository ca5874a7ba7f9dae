import { Slots } from './slots.js';

describe('Slots', () => {
  const order: string[] = [];
  const giveBack: (() => void)[] = [];

  beforeEach(() => {
    order.length = giveBack.length = 0;
  });

  async function take(slots: Slots, owner: string, signal?: AbortSignal): Promise<void> {
    const back = await slots.take(owner, signal);
    order.push(owner);
    giveBack.push(back);
  }

  it('lets a set number in, half of them of one owner, the others in turn', async () => {
    const slots = new Slots(4);
    const owners = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'];
    const all = Promise.all(owners.map((owner) => take(slots, owner)));
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
    const slots = new Slots(2);
    await take(slots, 'a');
    await take(slots, 'b');
    giveBack[0]?.();
    giveBack[0]?.();
    await take(slots, 'a');
    expect(slots.take('c')).toBeInstanceOf(Promise);
  });

  it('lets go of whoever gives up', async () => {
    const slots = new Slots(2);
    const gone = new AbortController();
    await Promise.all([take(slots, 'a'), take(slots, 'b')]);
    const waiting = take(slots, 'c', gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(take(slots, 'd', gone.signal)).rejects.toThrow('gone');
    giveBack[0]?.();
    await take(slots, 'e');
    expect(order).toEqual(['a', 'b', 'e']);
  });

  it('has one slot for one owner where there is one', async () => {
    await take(new Slots(1), 'a');
    expect(order).toEqual(['a']);
  });
});
