import { jest } from '@jest/globals';
import { inTime } from './in-time.js';

const never = () => new Promise<string>(() => {});

describe('inTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('settles like the awaited promise, and leaves no timer', async () => {
    expect(await inTime(Promise.resolve('here'), 10, () => 'late')).toBe('here');
    await expect(inTime(Promise.reject(new Error('no')), 10, () => 'late')).rejects.toThrow('no');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('settles with the given value when the time is up', async () => {
    const [returned, thrown] = [
      inTime(never(), 10, () => 'late'),
      inTime(never(), 10, () => {
        throw new Error('late');
      }),
    ];
    jest.advanceTimersByTime(10);
    expect(await returned).toBe('late');
    await expect(thrown).rejects.toThrow('late');
  });

  it('passes on a result after the timeout', async () => {
    const tooLate: string[] = [];
    let come = (_value: string) => {};
    const slow = new Promise<string>((resolve) => {
      come = resolve;
    });
    const answer = inTime(
      slow,
      10,
      () => 'late',
      (value) => tooLate.push(value),
    );
    jest.advanceTimersByTime(10);
    expect(await answer).toBe('late');
    come('at last');
    await slow;
    expect(tooLate).toEqual(['at last']);
  });
});
