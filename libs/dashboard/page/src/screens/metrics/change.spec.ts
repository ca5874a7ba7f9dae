import { changeOf } from './change';

describe('changeOf', () => {
  it.each([
    [5, 5, 'same', ''],
    [0, 0, 'same', ''],
    [110, 100, 'up', '10 %'],
    [50, 100, 'down', '50 %'],
    [0, 100, 'down', '100 %'],
    [3, 0, 'up', 'from 0'],
    [2_000, 100, 'up', '20 times'],
  ])('from %s, before %s, is %s %s', (present, before, direction, by) => {
    expect(changeOf(present, before)).toEqual({ direction, by });
  });
});
