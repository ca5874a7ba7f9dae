import { JobTurns, priorityOf } from './job-turns.js';

const LAST = 2_097_151;
const MINUTE = 60_000;

/** A queue whose front is given, and a clock. */
function setUp(front: { plain?: boolean; priority?: number; inHand?: (number | undefined)[] } = {}) {
  const state = { ...front, time: 1_000 * MINUTE, looks: 0 };
  const queue = {
    getWaiting: async () => {
      state.looks++;
      return state.plain ? [{ opts: {} }] : [];
    },
    getPrioritized: async () => (state.priority === undefined ? [] : [{ opts: { priority: state.priority } }]),
    // BullMQ 5 returns nothing for a job that ended meanwhile.
    getActive: async () => [undefined, ...(state.inHand ?? []).map((priority) => ({ opts: { priority } }))],
  };
  const turns = new JobTurns(queue as never, undefined, () => state.time);
  const take = (accountId: string, delay = 0) => turns.take({ accountId, cost: 1, delay });
  return { state, turns, take };
}

describe('JobTurns', () => {
  it('puts the first job of an account before those that wait, and its later ones behind', async () => {
    const { state, turns, take } = setUp();
    expect(turns.isOld).toBe(false);
    expect(Array.from({ length: 3 }, () => take('many'))).toEqual([0, 1, 2]);
    for (let n = 3; n < 10_000; n++) take('many');
    state.priority = 100;
    expect(turns.isOld).toBe(true);
    await turns.look();
    expect(turns.isOld).toBe(false);
    expect(take('few')).toBe(1_584);
    expect(take('many')).toBe(10_000);
    state.time += 100;
    expect(turns.isOld).toBe(true);
    // Jobs without a priority are before all turns.
    state.plain = true;
    await turns.look();
    expect(take('new')).toBe(1_584);
    delete state.priority;
    await turns.look();
    expect(take('next')).toBe(0);
  });

  it('puts it also before the jobs that workers have in hand: their rest may come back', async () => {
    const { state, turns, take } = setUp({ priority: 100, inHand: [90, 80] });
    await turns.look();
    expect(take('few')).toBe(79 * 16);
    delete state.priority;
    state.inHand = [50];
    await turns.look();
    expect(take('next')).toBe(49 * 16);
  });

  it('goes back with the front, for accounts with few emails that wait', async () => {
    const { state, turns, take } = setUp({ priority: 100 });
    for (let n = 0; n < 10_000; n++) take('many');
    await turns.look();
    expect(take('few')).toBe(1_584);
    state.priority = 2;
    await turns.look();
    expect([take('few'), take('new'), take('many')]).toEqual([16, 16, 10_000]);
  });

  it('begins at 0 again when nothing waits, and when numbers become large', async () => {
    const { state, turns, take } = setUp();
    for (let n = 0; n < 100; n++) take('many');
    await turns.look();
    expect(take('many')).toBe(0);
    state.priority = Math.ceil(LAST / 2) - 1;
    await turns.look();
    expect(take('few')).toBe((state.priority - 1) * 16);
    state.priority++;
    await turns.look();
    expect(take('few')).toBe(0);
  });

  it('counts those for later within the minute in which they are due', () => {
    const { state, turns, take } = setUp();
    expect([take('a', MINUTE), take('a', MINUTE + 5), take('b', MINUTE), take('a', 2 * MINUTE)]).toEqual([0, 1, 0, 0]);
    expect(turns.isOld).toBe(false);
    state.time += 2 * MINUTE;
    expect(take('a', 5)).toBe(1);
    for (let n = 0; n < 2_000; n++) take('a', (n + 3) * MINUTE);
    expect(take('a', 2_002 * MINUTE)).toBe(1);
    expect(take('a', 3 * MINUTE)).toBe(0);
  });
});

describe('priorityOf', () => {
  it('is none for the first turns, and never more than BullMQ takes', () => {
    expect([0, 15.9, 16, 47, 48].map(priorityOf)).toEqual([undefined, undefined, 1, 2, 3]);
    expect(priorityOf(1e12)).toBe(LAST);
    expect(priorityOf(LAST * 16)).toBe(LAST);
  });
});
