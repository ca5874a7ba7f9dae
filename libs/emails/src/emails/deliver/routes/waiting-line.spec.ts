import { WaitingLine } from './waiting-line.js';

describe('WaitingLine', () => {
  it('lets some wait, and puts the others off one after the other', () => {
    const clock = { now: 0 };
    const line = new WaitingLine(2, () => clock.now);
    expect([line.enter(), line.enter(), line.enter(), line.enter(), line.enter()]).toEqual([0, 0, 2_000, 2_020, 2_040]);
    line.leave();
    expect([line.enter(), line.enter()]).toEqual([0, 2_060]);
    clock.now = 60_000;
    expect(line.enter()).toBe(2_000);
  });
});
