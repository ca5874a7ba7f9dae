import { durationOf, stepOf } from './durations';

describe('durationOf', () => {
  it.each([
    [0, '0 s'],
    [0.9, '0 s'],
    [-5, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [125, '2 min 5 s'],
    [3_605, '1 h'],
    [93_784, '1 d 2 h'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(durationOf(seconds)).toBe(text);
  });
});

describe('stepOf', () => {
  it.each([
    [-20, '+0 ms'],
    [12, '+12 ms'],
    [99.6, '+0.1 s'],
    [600, '+0.6 s'],
    [9_949, '+9.9 s'],
    [9_950, '+10 s'],
    [125_400, '+2 min 5 s'],
  ])('writes a step of %d ms as %s', (milliseconds, text) => {
    expect(stepOf(milliseconds)).toBe(text);
  });
});
