import { jest } from '@jest/globals';
import { Deadline } from './deadline.js';

describe('Deadline', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Has `milliseconds` pass while it waits. */
  const waitOf = (milliseconds: number) => async () => {
    jest.advanceTimersByTime(milliseconds);
  };

  it('aborts when the time is up', () => {
    const { signal } = new Deadline(20);
    jest.advanceTimersByTime(19);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it('does not count a wait, but what was before it', async () => {
    const deadline = new Deadline(50);
    jest.advanceTimersByTime(40);
    await deadline.pauseFor(waitOf(1_000));
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(9);
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('goes on after a wait that fails', async () => {
    const deadline = new Deadline(20);
    await expect(deadline.pauseFor(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    jest.advanceTimersByTime(20);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('aborts nothing once it is cleared', () => {
    const deadline = new Deadline(10);
    deadline.clear();
    jest.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(false);
  });
});
