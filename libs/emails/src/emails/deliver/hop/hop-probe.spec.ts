import { jest } from '@jest/globals';
import { HopProbe } from './hop-probe.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Probes that are answered when the test says so. */
function probed(ask: (signal: AbortSignal, turn: number) => Promise<void>) {
  const asked: AbortSignal[] = [];
  const answered = jest.fn();
  const unanswered = jest.fn();
  const probe = new HopProbe((signal) => ask(signal, asked.push(signal)), answered, unanswered);
  return { probe, asked, answered, unanswered };
}
const never = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));

describe('HopProbe', () => {
  it('asks at once and every second, until there is an answer', async () => {
    const { probe, asked, answered, unanswered } = probed(async (_, turn) => {
      if (turn < 4) throw new Error('ECONNREFUSED');
    });
    probe.start();
    probe.start();
    await jest.advanceTimersByTimeAsync(2_999);
    expect(asked).toHaveLength(3);
    expect(answered).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(4);
    expect(unanswered).toHaveBeenCalledTimes(3);
    expect(answered).toHaveBeenCalledTimes(1);
  });

  it('asks again each second without any answer, and keeps one question waiting', async () => {
    const { probe, asked, answered } = probed(async (signal, turn) => {
      if (turn !== 12) return never(signal);
    });
    probe.start();
    await jest.advanceTimersByTimeAsync(10_500);
    expect(asked).toHaveLength(11);
    expect(asked.filter(({ aborted }) => !aborted).length).toBeLessThanOrEqual(6);
    expect(asked[0]?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(500);
    expect(answered).toHaveBeenCalledTimes(1);
    expect(asked.slice(0, 11).every(({ aborted }) => aborted)).toBe(true);
  });

  it('hears a hop that is slow to greet', async () => {
    const { probe, answered } = probed((_, turn) =>
      turn === 1 ? new Promise((resolve) => setTimeout(resolve, 20_000)) : new Promise(() => {}),
    );
    probe.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(answered).toHaveBeenCalledTimes(1);
  });

  it('has at most six questions open at a transport that aborts none', async () => {
    const { probe, asked } = probed(() => new Promise(() => {}));
    probe.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(6);
  });

  it.each([
    ['it is refused permanently: each question may be a login', { responseCode: 535 }],
    ['there is no access token', { code: 'EAUTH' }],
  ])('asks less and less often when %s', async (_, details) => {
    const { probe, asked } = probed(() => Promise.reject(Object.assign(new Error('no'), details)));
    probe.start();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(asked.length).toBeLessThan(30);
    expect(asked.length).toBeGreaterThan(15);
  });

  it('asks nothing after it is stopped, and ignores a late answer', async () => {
    let answer = () => {};
    const { probe, asked, answered } = probed(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    probe.start();
    probe.stop();
    answer();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
    expect(answered).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });
});
