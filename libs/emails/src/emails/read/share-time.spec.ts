import { shareTime } from './share-time.js';

const MINUTE = 60_000;

describe('shareTime', () => {
  it.each([
    ['10m', 10 * MINUTE],
    ['2 hours', 120 * MINUTE],
    ['1 day', 1_440 * MINUTE],
    ['2 Days', 2_880 * MINUTE],
    ['48h', 2_880 * MINUTE],
    ['1.5 hrs', 90 * MINUTE],
    ['30 mins', 30 * MINUTE],
    ['90s', 1.5 * MINUTE],
    [' 1 second ', 1_000],
  ])('takes %j', (text, milliseconds) => {
    expect(shareTime(text)).toBe(milliseconds);
  });

  it.each(['', '10', 'm', '0m', '-1h', '49h', '3 days', '1 week', '1h 30m', '1e3s', '0.5s', '∞ days', 'toString'])(
    'refuses %j as a duration',
    (text) => {
      expect(shareTime(text)).toBeUndefined();
    },
  );
});
