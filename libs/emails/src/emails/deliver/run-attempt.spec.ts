import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { UNPAUSED_HOLDS } from '../storage/deliver/unpaused.js';
import { RunAttempt } from './run-attempt.js';

const ATTEMPT = { id: 'e', fence: 1, transport: 'mx' };

/** An attempt whose row is a flag, with statements that take some time. */
function setUp(took = 0) {
  const row = { isOpen: false };
  const answer = async (isOpen: boolean | undefined) => {
    const asked = performance.now();
    if (isOpen !== undefined) row.isOpen = isOpen;
    await delay(took);
    return row.isOpen || isOpen === false ? asked : undefined;
  };
  const writes = {
    add: jest.fn(() => answer(true)),
    check: jest.fn(() => answer(undefined)),
    withdraw: jest.fn(async () => (await answer(false)) !== undefined),
    expect: <T>(work: () => Promise<T>) => work(),
  };
  return { row, writes, attempt: new RunAttempt(writes) };
}

/** The event loop does nothing else meanwhile. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('RunAttempt', () => {
  it('holds for a second, is then withdrawn, and is written again when its turn comes', async () => {
    const { row, writes, attempt } = setUp();
    expect(await attempt.open(ATTEMPT)).toBe(true);
    expect(await attempt.open(ATTEMPT)).toBe(true);
    expect(writes.add).toHaveBeenCalledTimes(1);
    await delay(UNPAUSED_HOLDS + 50);
    expect({ row: row.isOpen, holds: attempt.holds }).toEqual({ row: false, holds: false });
    expect(await attempt.open(ATTEMPT)).toBe(true);
    attempt.settle();
    expect(row.isOpen).toBe(true);
    await delay(UNPAUSED_HOLDS + 50);
    expect(row.isOpen).toBe(true);
  });

  it('is not withdrawn while it is asked about: its message may begin by the answer', async () => {
    const { row, writes, attempt } = setUp(50);
    await attempt.open(ATTEMPT);
    block(UNPAUSED_HOLDS + 20);
    // The time for the withdrawal has come, and its timer could not run yet.
    const isOpen = await attempt.open(ATTEMPT);
    expect(writes.check).toHaveBeenCalledTimes(1);
    expect({ isOpen, holds: attempt.holds }).toEqual({ isOpen: true, holds: true });
    attempt.settle();
    await delay(UNPAUSED_HOLDS + 100);
    expect(row.isOpen).toBe(true);
    expect(writes.withdraw).not.toHaveBeenCalled();
  });

  it('is withdrawn soon if its answer came too late, unless it is asked about again', async () => {
    const { row, writes, attempt } = setUp(UNPAUSED_HOLDS + 20);
    expect(await attempt.open(ATTEMPT)).toBe(true);
    expect({ row: row.isOpen, holds: attempt.holds }).toEqual({ row: true, holds: false });
    await attempt.open(ATTEMPT);
    expect(writes.check).toHaveBeenCalledTimes(1);
    expect(writes.withdraw).not.toHaveBeenCalled();
    await delay(20);
    expect(writes.withdraw).toHaveBeenCalledTimes(1);
    expect(row.isOpen).toBe(false);
  });
});
