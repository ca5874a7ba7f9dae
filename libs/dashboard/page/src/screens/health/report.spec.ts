import { durationOf } from './report';

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
