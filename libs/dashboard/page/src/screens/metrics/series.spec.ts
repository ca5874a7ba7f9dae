import { hiddenAfter, isNothing, shownSeries, valuesOf } from './series';

const none = { sent: 0, delivered: 0, delivery_delayed: 0, bounced: 0, failed: 0, complained: 0, suppressed: 0 };

describe('valuesOf', () => {
  it('counts a delivered recipient once', () => {
    expect(valuesOf({ ...none, sent: 5, delivered: 3 })).toMatchObject({ delivered: 3, unconfirmed: 2 });
  });

  it('has no negative count for a delivery that was reported in a later period', () => {
    expect(valuesOf({ ...none, sent: 1, delivered: 3 })).toMatchObject({ delivered: 3, unconfirmed: 0 });
  });
});

it('recognises a range without events', () => {
  expect(isNothing(none)).toBe(true);
  expect(isNothing({ ...none, delivery_delayed: 1 })).toBe(false);
});

it('hides series by the address, and shows them again', () => {
  const state = new URLSearchParams('hide=bounced,nonsense');
  expect(shownSeries(state).map(({ name }) => name)).not.toContain('bounced');
  expect(hiddenAfter(state, 'failed')).toBe('failed,bounced');
  expect(hiddenAfter(state, 'bounced')).toBe('');
});
