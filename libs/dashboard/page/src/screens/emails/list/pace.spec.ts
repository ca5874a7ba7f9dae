import { newPace } from './pace';

describe('the pace of requests', () => {
  it('becomes slower while nothing changes, and starts again with a change', () => {
    const pace = newPace(2_000, 8_000);
    const seen = [false, false, false, true].map((hasChanged) => {
      const interval = pace.interval();
      pace.note(hasChanged);
      return interval;
    });
    expect([...seen, pace.interval()]).toEqual([2_000, 4_000, 8_000, 8_000, 2_000]);
  });
});
