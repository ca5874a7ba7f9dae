import { EMAIL_STATES } from '../../../api/types';
import { intervalOf, possibleIn } from './progress';

describe('the progress of an email', () => {
  it('is followed until nothing more is expected', () => {
    expect(EMAIL_STATES.filter((state) => intervalOf(state) === 2_000)).toEqual([
      'queued',
      'scheduled',
      'delivery_delayed',
    ]);
    expect(intervalOf('sent')).toBe(15_000);
    expect(intervalOf('bounced')).toBe(false);
  });

  it('decides what can be done', () => {
    expect(possibleIn('scheduled')).toEqual({ cancel: true, reschedule: true, retry: false, sendAgain: false });
    expect(possibleIn('delivery_delayed')).toEqual({ cancel: true, reschedule: false, retry: true, sendAgain: false });
    expect(possibleIn('queued')).toEqual({ cancel: false, reschedule: false, retry: false, sendAgain: false });
    expect(possibleIn('bounced')).toEqual({ cancel: false, reschedule: false, retry: false, sendAgain: true });
  });
});
