import { retryAfterOf } from './retry-after.js';

const NOW = Date.UTC(2026, 10, 21, 5, 0, 0);

describe('retryAfterOf', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['999999999', 999_999_999_000],
    ['Sat, 21 Nov 2026 05:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 05:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 04:00:00 GMT', 0],
    ...['', '-1', '1.5', '1e3', '99999999999', 'soon', '2026-11-21', 'Sat, nonsense'].map((header) => [
      header,
      undefined,
    ]),
  ] as [string, number | undefined][])('reads %j', (header, wait) => {
    expect(retryAfterOf(header, NOW)).toBe(wait);
  });

  it('has no time without a valid header', () => {
    expect(retryAfterOf(undefined)).toBeUndefined();
  });
});
