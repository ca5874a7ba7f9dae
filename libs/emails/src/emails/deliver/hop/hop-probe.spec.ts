import { jest } from '@jest/globals';
import { HopProbe } from './hop-probe.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Questions that are answered when the test says so. */
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

  it('asks anew each second where nothing answers at all, and leaves one question waiting', async () => {
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

  it('has no more than six questions open at a transport that gives none up', async () => {
    const { probe, asked } = probed(() => new Promise(() => {}));
    probe.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(6);
  });

  it('asks ever more seldom where it is refused for good, for each question may be a login', async () => {
    const { probe, asked } = probed(() => Promise.reject(Object.assign(new Error('no'), { responseCode: 535 })));
    probe.start();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(asked.length).toBeLessThan(30);
    expect(asked.length).toBeGreaterThan(15);
  });

  it('asks nothing once it is stopped, and takes no late answer for one', async () => {
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
