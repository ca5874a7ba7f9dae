import { jest } from '@jest/globals';
import { Deadline } from './deadline.js';

describe('Deadline', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Advances the clock by `milliseconds` during a wait. */
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

  it('counts the time before a wait, but not the wait', async () => {
    const deadline = new Deadline(50);
    jest.advanceTimersByTime(40);
    await deadline.pauseFor(waitOf(1_000));
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(9);
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('continues after a failed wait', async () => {
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
