import { dateOf, dayFrom, readTime } from './search-times';

const NOW = Date.parse('2026-11-23T14:35:12Z');
const localDay = (text: string) => new Date(`${text}T00:00`).toISOString();

describe('times of a search', () => {
  it.each([
    ['30m', '2026-11-23T14:05:00.000Z'],
    ['24h', '2026-11-22T14:35:00.000Z'],
    ['7D', '2026-11-16T14:35:00.000Z'],
    ['2026-11-21T05:26:01Z', '2026-11-21T05:26:01.000Z'],
    ['2026-11-21', localDay('2026-11-21')],
    ['soon', undefined],
    ['2026-02-31T99:99', undefined],
    ['99999999d', undefined],
    ['', undefined],
  ])('%s', (text, time) => {
    expect(readTime(text, NOW)).toBe(time);
  });

  it('begin days in the zone of the reader', () => {
    const today = dateOf('24h', NOW + 86_400_000);
    expect(readTime('today', NOW)).toBe(localDay(today));
    expect(readTime('yesterday', NOW)).toBe(localDay(dayFrom(today, -1)));
  });

  it('count days', () => {
    expect(dayFrom('2026-11-30', 1)).toBe('2026-12-01');
    expect(dayFrom('2026-03-01', -1)).toBe('2026-02-28');
    expect(dateOf('2026-11-21', NOW)).toBe('2026-11-21');
    expect([dateOf('soon', NOW), dateOf(undefined, NOW)]).toEqual(['', '']);
  });

  it('count days of any year that a date field has', () => {
    expect(dayFrom(dateOf('0999-01-01', NOW), -1)).toBe('0998-12-31');
    expect(dayFrom(dateOf('0042-06-01', NOW), 1)).toBe('0042-06-02');
    expect([dateOf('0000-06-01', NOW), dateOf('9999-12-31T23:59-14:00', NOW)]).toEqual(['', '']);
  });
});
