import { askedRange } from './byte-range.js';

describe('askedRange', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 9],
    ['bytes=2-5', 2, 5],
    ['bytes=9-99999999999999999999', 9, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-99', 0, 9],
    ['BYTES= 1-2 ', 1, 2],
  ])('takes %j', (header, start, end) => {
    expect(askedRange(header, 10)).toEqual({ start, end });
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=1-2x',
    'bytes=0-1,3-4',
    'lines=1-2',
    'bytes=+1-2',
    `bytes=${'0-0,'.repeat(5_000)}`,
  ])('reads %j as the whole file', (header) => {
    expect(askedRange(header, 10)).toBeUndefined();
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'reports %j as unsatisfiable',
    (header) => {
      expect(askedRange(header, 10)).toBe('unsatisfiable');
    },
  );

  it('has the whole or nothing of an empty file', () => {
    expect(askedRange('bytes=-5', 0)).toBeUndefined();
    expect(askedRange('bytes=0-', 0)).toBe('unsatisfiable');
  });
});
