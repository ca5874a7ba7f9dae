import { DAY, parseDuration, parseDurations } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['1m', 60_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    [' 3s ', 3_000],
  ])('reads %p', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '5', 's', '-1s', '1 s', '1w', '0s', '0.0001ms', '1e3ms', '0x5s', '25d', '1s2s', 'NaNs', 'Infinityd'])(
    'refuses %p',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('parseDuration with a given limit', () => {
  it.each([
    ['1ms', 1],
    ['36500d', 3_153_600_000_000],
    ['876000h', 3_153_600_000_000],
  ])('reads %p', (text, milliseconds) => {
    expect(parseDuration(text, 36_500 * DAY)).toBe(milliseconds);
  });

  it.each(['36500.001d', '36501d', '999999999d', '9999999999ms', '0d', '-1d'])('refuses %p', (text) => {
    expect(parseDuration(text, 36_500 * DAY)).toBeUndefined();
  });
});

describe('parseDurations', () => {
  it('reads a schedule in order', () => {
    expect(parseDurations('1m, 5m,15m')).toEqual([60_000, 300_000, 900_000]);
  });

  it.each(['', ',', '1m,', '1m;5m', '1m,soon'])('refuses %p', (text) => {
    expect(parseDurations(text)).toBeUndefined();
  });
});
