import { periodNames } from './periods';

describe('periodNames', () => {
  it('writes hours in the zone of the reader', () => {
    const { short, full } = periodNames('hourly', 'Europe/Berlin', 'en-GB');
    expect(short('2026-07-01T13:00:00+02:00')).toBe('13:00');
    expect(full('2026-07-01T13:00:00+02:00')).toMatch(/^Wed,? 1 Jul,? 13:00$/);
  });

  it('writes days in the zone of the counts, in any zone of the reader', () => {
    for (const zone of ['America/Los_Angeles', 'Pacific/Auckland']) {
      expect(periodNames('daily', zone, 'en-GB').short('2026-07-01')).toBe('1 Jul');
    }
  });

  it('names weeks and months', () => {
    expect(periodNames('weekly', 'UTC', 'en-GB').full('2026-06-29')).toBe('Week of 29 Jun 2026');
    expect(periodNames('monthly', 'UTC', 'en-GB').full('2026-07-01')).toBe('July 2026');
  });
});
