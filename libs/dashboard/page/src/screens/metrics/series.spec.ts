import { hiddenAfter, isNothing, shownSeries, valuesOf } from './series';

const none = { sent: 0, delivered: 0, delivery_delayed: 0, bounced: 0, failed: 0, complained: 0, suppressed: 0 };

describe('valuesOf', () => {
  it('counts nobody twice who was sent to and delivered to', () => {
    expect(valuesOf({ ...none, sent: 5, delivered: 3 })).toMatchObject({ delivered: 3, unconfirmed: 2 });
  });

  it('takes nothing away where a delivery became known later than it was sent', () => {
    expect(valuesOf({ ...none, sent: 1, delivered: 3 })).toMatchObject({ delivered: 3, unconfirmed: 0 });
  });
});

it('knows when nothing happened', () => {
  expect(isNothing(none)).toBe(true);
  expect(isNothing({ ...none, delivery_delayed: 1 })).toBe(false);
});

it('hides what the address says, and shows it again', () => {
  const state = new URLSearchParams('hide=bounced,nonsense');
  expect(shownSeries(state).map(({ name }) => name)).not.toContain('bounced');
  expect(hiddenAfter(state, 'failed')).toBe('failed,bounced');
  expect(hiddenAfter(state, 'bounced')).toBe('');
});
