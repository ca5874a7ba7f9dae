import { clockTime, instantOf, relativeTime } from './times';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('times', () => {
  it.each([
    ['2026-11-21 05:26:01.123456+00', '2026-11-21T05:26:01.123Z'],
    ['2026-11-21T05:26:01.123Z', '2026-11-21T05:26:01.123Z'],
  ])('reads %s', (time, iso) => {
    expect(new Date(instantOf(time)).toISOString()).toBe(iso);
  });

  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [30_000, 'in a moment'],
    [-5 * 60_000, '5m ago'],
    [2 * 3_600_000, 'in 2h'],
    [-3 * 86_400_000, '3d ago'],
    [3 * 86_400_000 - 1, 'in 3d'],
    [3 * 86_400_000 - 3 * 3_600_000, 'in 3d'],
    [86_400_000 - 1_000, 'in 1d'],
    [60 * 60_000 - 1_000, 'in 1h'],
    [45 * 60_000, 'in 45m'],
    [2 * 3_600_000 - 20_000, 'in 2h'],
  ])('describes a time %d ms away as %s', (distance, text) => {
    expect(relativeTime(NOW + distance, NOW)).toMatch(new RegExp(text.replaceAll(/(\d+)(\w)/g, '$1 ?$2')));
  });

  it('has a clock time for today, and the day with it for another', () => {
    expect(clockTime(NOW - 60_000, NOW)).toMatch(/^\d\d:\d\d/);
    expect(clockTime(NOW - 2 * 86_400_000, NOW)).toContain('19');
  });

  it('has a date for a distant time', () => {
    expect(relativeTime(NOW - 30 * 86_400_000, NOW)).toContain('2026');
  });
});
