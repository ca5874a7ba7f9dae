import { isEmpty, isSelected, NOTHING, type Selection, toggled, withRange } from './selection';

const LISTED = ['e', 'd', 'c', 'b', 'a'];
const idsOf = (selection: Selection) => (selection.kind === 'all' ? 'all' : [...selection.ids].join(''));

describe('a selection', () => {
  it('has a row, or no longer', () => {
    const one = toggled(NOTHING, 'c', LISTED);
    expect([isSelected(one, 'c'), isSelected(one, 'd'), isEmpty(one)]).toEqual([true, false, false]);
    expect(isEmpty(toggled(one, 'c', LISTED))).toBe(true);
    expect(isEmpty(NOTHING)).toBe(true);
  });

  it('has a range in both directions', () => {
    expect(idsOf(withRange(toggled(NOTHING, 'd', LISTED), 'd', 'b', LISTED))).toBe('dcb');
    expect(idsOf(withRange(toggled(NOTHING, 'a', LISTED), 'a', 'c', LISTED))).toBe('acb');
  });

  it('has the row alone when the other end of a range is gone', () => {
    expect(idsOf(withRange(NOTHING, 'gone', 'b', LISTED))).toBe('b');
  });

  it('of all has every row, and without one of them those of the list', () => {
    const all: Selection = { kind: 'all' };
    expect([isSelected(all, 'not listed'), isEmpty(all)]).toEqual([true, false]);
    expect(idsOf(toggled(all, 'c', LISTED))).toBe('edba');
    expect(withRange(all, 'e', 'a', LISTED)).toBe(all);
  });
});
