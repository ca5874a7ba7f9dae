import { sizeOf } from './sizes';

describe('sizeOf', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [9_960, '10 kB'],
    [999_600, '1.0 MB'],
    [23_400_000, '23 MB'],
    [5_000_000_000_000, '5000 GB'],
  ])('says %d as %s', (bytes, text) => {
    expect(sizeOf(bytes)).toBe(text);
  });
});
