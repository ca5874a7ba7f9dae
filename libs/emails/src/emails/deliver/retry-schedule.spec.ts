import { DEFAULT_RETRY_SCHEDULE } from './retry-schedule.js';

describe('DEFAULT_RETRY_SCHEDULE', () => {
  it('tries for about five days', () => {
    const hours = DEFAULT_RETRY_SCHEDULE.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(4.8 * 24);
    expect(hours).toBeLessThanOrEqual(5 * 24);
  });
});
