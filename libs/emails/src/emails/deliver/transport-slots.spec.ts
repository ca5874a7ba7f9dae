import { jest } from '@jest/globals';
import type { EmailTransport, TransportSlot } from '../ports/email-transport.js';
import { TransportSlots } from './transport-slots.js';

const slot: TransportSlot = { send: async () => [], reopen: async () => {}, release: () => {} };

/** Slots that are granted when the test says so. */
function slotsAt(clock: { now: number }) {
  const waiting: ((granted: TransportSlot) => void)[] = [];
  const acquireSlot = () => new Promise<TransportSlot>((resolve) => waiting.push(resolve));
  return { waiting, slots: new TransportSlots({ acquireSlot } as unknown as EmailTransport, () => clock.now) };
}

/** Asks for `count` slots, and records the order in which they were near. */
function askFor(slots: TransportSlots, count: number) {
  const near: number[] = [];
  const acquired = Array.from({ length: count }, (_, index) => slots.acquire(undefined, () => near.push(index)));
  return { near, acquired };
}

describe('TransportSlots', () => {
  it('are near for as many waiting callers as slots were granted in the last quarter of a second', async () => {
    const clock = { now: 0 };
    const { slots, waiting } = slotsAt(clock);
    const { near, acquired } = askFor(slots, 5);
    expect(near).toEqual([]);
    slots.release(slot);
    slots.release(slot);
    expect(near).toEqual([0, 1]);
    clock.now = 250;
    waiting[0]?.(slot);
    await acquired[0];
    slots.release(slot);
    expect(near).toEqual([0, 1, 2]);
    slots.release(slot);
    slots.release(slot);
    expect(near).toEqual([0, 1, 2, 3]);
  });

  it('are not near when the slot came first, or when none was released lately', async () => {
    const clock = { now: 0 };
    const { slots, waiting } = slotsAt(clock);
    const { near, acquired } = askFor(slots, 3);
    for (const grant of waiting.splice(0, 2)) grant(slot);
    await Promise.all(acquired.slice(0, 2));
    slots.release(slot);
    expect(near).toEqual([2]);
    clock.now = 500;
    expect(askFor(slots, 2).near).toEqual([]);
  });

  it('no longer count a caller that got none as waiting', async () => {
    const { slots, waiting } = slotsAt({ now: 0 });
    const { near, acquired } = askFor(slots, 2);
    slots.release(slot);
    waiting[0]?.(undefined as never);
    expect(await acquired[0]).toBeUndefined();
    expect(near).toEqual([0]);
    slots.release(slot);
    expect(near).toEqual([0, 1]);
  });

  it('are unlimited where the transport grants none', async () => {
    const sent: unknown[] = [];
    const transport = { send: async (message: unknown) => [sent.push(message)] };
    const slots = new TransportSlots(transport as never);
    const [one, other] = [await slots.acquire(), await slots.acquire()];
    await one?.send('first' as never);
    await other?.send('second' as never);
    expect(sent).toEqual(['first', 'second']);
  });

  it('end a wait after its time limit, and release a slot that comes later', async () => {
    const { slots, waiting } = slotsAt({ now: 0 });
    const release = jest.fn();
    const acquired = slots.acquire(undefined, undefined, { onDown: () => () => {}, unreached: () => {}, patience: 10 });
    expect(await acquired).toBeUndefined();
    waiting[0]?.({ ...slot, release });
    await new Promise((resolve) => setImmediate(resolve));
    expect(release).toHaveBeenCalledTimes(1);
  });
});
