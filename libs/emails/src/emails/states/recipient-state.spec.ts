import { isKeptBack, isPending, RECIPIENT_EVENTS, type RecipientState, stateOf } from './recipient-state.js';

type Status = RecipientState['status'];

const recipients = (...statuses: Status[]): RecipientState[] =>
  statuses.map((status, index) => ({ address: `r${index}@x.example`, status }));

/** Most urgent first. */
const URGENCY: Status[] = [
  'bounced',
  'failed',
  'delivery_delayed',
  'pending',
  'sent',
  'delivered',
  'refused',
  'suppressed',
];

it('shows the recipient state that needs most attention', () => {
  for (const [index, status] of URGENCY.slice(0, -1).entries()) {
    const shown = status === 'pending' ? 'queued' : status === 'refused' ? 'failed' : status;
    expect(stateOf(recipients(...URGENCY.slice(index).reverse()))).toBe(shown);
    expect(stateOf(recipients(...URGENCY.slice(index)))).toBe(shown);
  }
});

it('is suppressed when the suppression list refused all recipients', () => {
  expect(stateOf(recipients('suppressed', 'suppressed'))).toBe('suppressed');
});

it('has failed when no recipient is left for another cause', () => {
  expect(stateOf(recipients('refused'))).toBe('failed');
  expect(stateOf(recipients('suppressed', 'refused'))).toBe('failed');
  expect(stateOf([])).toBe('failed');
});

it('is pending without a known outcome, and while delayed', () => {
  expect(URGENCY.filter((status) => isPending({ address: '', status }))).toEqual(['delivery_delayed', 'pending']);
});

it('does not count recipients of before the cancellation', () => {
  expect(stateOf(recipients('delivered', 'canceled'))).toBe('delivered');
  expect(stateOf(recipients('suppressed', 'canceled'))).toBe('failed');
});

it('keeps back only the recipients that a policy refused', () => {
  const statuses: Status[] = [...URGENCY, 'complained', 'canceled'];
  expect(statuses.filter((status) => isKeptBack({ address: '', status }))).toEqual(['refused', 'suppressed']);
});

it('has an event for each state to which delivery or a report moves a recipient', () => {
  expect([...RECIPIENT_EVENTS].sort()).toEqual(
    ['bounced', 'complained', 'delivered', 'delivery_delayed', 'failed', 'sent', 'suppressed'].sort(),
  );
});
