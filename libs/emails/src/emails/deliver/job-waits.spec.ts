import { JobWaits } from './job-waits.js';

function setUp() {
  const clock = { time: 0 };
  return { clock, waits: new JobWaits(() => clock.time) };
}

describe('JobWaits', () => {
  it('finds jobs that were taken before others which wait for long', () => {
    const { waits } = setUp();
    expect([8_000, 30, 4_000, 4_001, 8_010, 12].map((wait) => waits.isAhead(wait))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('finds none without a backlog, or when jobs are taken as they come', () => {
    const { waits } = setUp();
    expect([999, 1].map((wait) => waits.isAhead(wait))).toEqual([false, false]);
    expect([3_600_000, 3_591_000, 3_582_000].map((wait) => waits.isAhead(wait))).toEqual([false, false, false]);
  });

  it('forgets a wait after a second, so that the end of a backlog is noticed', () => {
    const { clock, waits } = setUp();
    waits.isAhead(8_000);
    clock.time = 1_001;
    expect(waits.isAhead(30)).toBe(false);
    expect(waits.isAhead(10)).toBe(false);
  });
});
