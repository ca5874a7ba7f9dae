import { jest } from '@jest/globals';
import { Background } from './background.js';

/** The event loop with this much time used since the last check, of 200 milliseconds. */
function loopHas(active: number) {
  jest
    .spyOn(performance, 'eventLoopUtilization')
    .mockImplementation(() => ({ active, idle: 200 - active, utilization: active / 200 }));
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Duration of a rest, to the nearest 5 milliseconds. */
async function restAfter(background: Background, work: number): Promise<number> {
  let isOver = false;
  void background.spend(work).then(() => {
    isOver = true;
  });
  for (let rested = 0; ; rested += 5) {
    await jest.advanceTimersByTimeAsync(rested === 0 ? 0 : 5);
    if (isOver) return rested;
  }
}

describe('Background', () => {
  it('does not rest while no other work runs, regardless of its own', async () => {
    loopHas(190);
    expect(await restAfter(new Background(), 180)).toBe(0);
  });

  it('rests for nine times as long as it worked while others are busy', async () => {
    loopHas(150);
    expect(await restAfter(new Background(), 10)).toBe(90);
  });

  it('never rests for more than a second', async () => {
    loopHas(200);
    const background = new Background();
    await restAfter(background, 10);
    expect(await restAfter(background, 130)).toBe(1_000);
  });
});
