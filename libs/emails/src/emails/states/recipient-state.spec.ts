import { isOwed, type RecipientState, stateOf } from './recipient-state.js';

type Status = RecipientState['status'];

const recipients = (...statuses: Status[]): RecipientState[] =>
  statuses.map((status, index) => ({ address: `r${index}@x.example`, status }));

/** Most urgent first. */
const URGENCY: Status[] = ['bounced', 'failed', 'delivery_delayed', 'pending', 'sent', 'delivered', 'suppressed'];

it('shows of several recipients the state that needs most attention', () => {
  for (const [index, status] of URGENCY.slice(0, -1).entries()) {
    const shown = status === 'pending' ? 'queued' : status;
    expect(stateOf(recipients(...URGENCY.slice(index).reverse()))).toBe(shown);
    expect(stateOf(recipients(...URGENCY.slice(index)))).toBe(shown);
  }
});

it('has failed when nobody is left to send to', () => {
  expect(stateOf(recipients('suppressed', 'suppressed'))).toBe('failed');
});

it('owes an email to whom nothing is known of, and to whom it is delayed', () => {
  expect(URGENCY.filter((status) => isOwed({ address: '', status }))).toEqual(['delivery_delayed', 'pending']);
});
