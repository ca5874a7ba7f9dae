import { jest } from '@jest/globals';
import { Background } from './background.js';

/** Says how busy the event loop was whenever that is asked. */
function loopIs(utilization: number) {
  return jest
    .spyOn(performance, 'eventLoopUtilization')
    .mockImplementation(() => ({ idle: 0, active: 0, utilization }));
}

afterEach(() => jest.restoreAllMocks());

describe('Background', () => {
  it('rests once where there is time to spare, and not at all after what took little time', async () => {
    const asked = loopIs(0.1);
    const background = new Background();
    for (let request = 0; request < 20; request++) await background.spend(0.4);
    expect(asked).not.toHaveBeenCalled();
    await background.spend(1_000);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('rests on while there is none', async () => {
    const asked = loopIs(1);
    await new Background().spend(20);
    expect(asked.mock.calls.length).toBeGreaterThan(2);
  });
});
