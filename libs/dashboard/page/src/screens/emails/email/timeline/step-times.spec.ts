import { timeBetween } from './step-times';

describe('the time between two steps', () => {
  it.each([
    [0, '+0.0 s'],
    [612, '+0.6 s'],
    [59_949, '+59.9 s'],
    [59_999, '+1 min'],
    [123_000, '+2 min 3 s'],
    [3_600_000, '+1 h'],
    [3_660_500, '+1 h 1 min'],
    [100_800_000, '+1 d 4 h'],
    [86_400_000 + 59_000, '+1 d'],
    [-400, '−0.4 s'],
  ])('of %d ms is %s', (distance, text) => {
    expect(timeBetween(1_000, 1_000 + distance)).toBe(text);
  });
});
