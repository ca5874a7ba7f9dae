import { type EmailRecipient, type EmailState, STATES } from '../../../api/types';
import { intervalOf, possibleIn } from './progress';

const inStates = (...states: EmailState[]): EmailRecipient[] =>
  states.map((last_event, at) => ({
    address: `${at}@b.test`,
    field: 'to',
    last_event,
    attempts: 1,
    last_attempt_at: null,
    next_attempt_at: null,
    reason: null,
    reason_code: null,
  }));

describe('the progress of an email', () => {
  it('is followed until nothing more is expected', () => {
    expect(STATES.filter((state) => intervalOf(state) === 2_000)).toEqual(['queued', 'scheduled', 'delivery_delayed']);
    expect(intervalOf('sent')).toBe(15_000);
    expect(intervalOf('bounced')).toBe(false);
  });

  it('is followed while any recipient is still tried', () => {
    expect(intervalOf('bounced', inStates('bounced', 'delivery_delayed'))).toBe(2_000);
    expect(intervalOf('bounced', inStates('bounced', 'delivered'))).toBe(false);
    expect(intervalOf('canceled', inStates('queued'))).toBe(false);
  });

  it('offers no cancel once it was sent to a recipient', () => {
    expect(possibleIn('delivery_delayed', inStates('delivery_delayed', 'delivered')).cancel).toBe(false);
    expect(possibleIn('delivery_delayed', inStates('delivery_delayed', 'bounced')).cancel).toBe(true);
  });

  it('decides the possible actions', () => {
    expect(possibleIn('scheduled')).toEqual({ cancel: true, reschedule: true, retry: false, sendAgain: false });
    expect(possibleIn('delivery_delayed')).toEqual({ cancel: true, reschedule: false, retry: true, sendAgain: false });
    expect(possibleIn('queued')).toEqual({ cancel: false, reschedule: false, retry: false, sendAgain: false });
    expect(possibleIn('bounced')).toEqual({ cancel: false, reschedule: false, retry: false, sendAgain: true });
  });
});
