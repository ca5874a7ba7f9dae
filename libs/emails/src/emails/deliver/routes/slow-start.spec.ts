import { SlowStart } from './slow-start.js';

describe('SlowStart', () => {
  it('limits nothing before an outage', async () => {
    const start = new SlowStart();
    for (let n = 0; n < 1_000; n++) expect(await start.enter(0)).toBe(true);
    expect(start.isFull).toBe(false);
  });

  it('lets two in after one, one more with each answer, and is over at 64', async () => {
    const start = new SlowStart();
    start.begin();
    expect([await start.enter(0), await start.enter(0), await start.enter(0)]).toEqual([true, true, false]);
    expect(start.isFull).toBe(true);
    start.leave(false);
    start.leave(false);
    expect([await start.enter(0), await start.enter(0), await start.enter(0)]).toEqual([true, true, false]);
    const waiting = start.enter(1_000);
    start.leave(true);
    expect(await waiting).toBe(true);
    for (let n = 0; n < 70; n++) {
      start.leave(true);
      await start.enter(0);
    }
    for (let n = 0; n < 100; n++) expect(await start.enter(0)).toBe(true);
    expect(start.isFull).toBe(false);
  });

  it('never exceeds the limit of its transport', async () => {
    const start = new SlowStart(3);
    const enter = () => Promise.all([start.enter(0), start.enter(0), start.enter(0), start.enter(0)]);
    expect(await enter()).toEqual([true, true, true, false]);
    start.begin();
    for (let n = 0; n < 3; n++) start.leave(true);
    expect(await enter()).toEqual([true, true, true, false]);
  });

  it('counts those that began before the outage', async () => {
    const start = new SlowStart();
    await start.enter(0);
    await start.enter(0);
    start.begin();
    expect(await start.enter(0)).toBe(false);
    start.leave(true);
    expect(await start.enter(0)).toBe(true);
  });
});
