import { EMAIL_STATES, REASON_CODES } from 'nestjs-emails/facts';
import type { EmailEvent } from '../../../../api/types';
import { outcomeOf } from './outcomes';

const event = (fields: Partial<EmailEvent>): EmailEvent => ({
  id: 'event',
  type: 'failed',
  recipient: null,
  created_at: '2026-11-26 12:00:00.000000+00',
  reason: null,
  reason_code: null,
  attempt: null,
  transport: null,
  source: 'worker',
  bounce: null,
  ...fields,
});

const bounce = (type: string) => ({ type, subType: 'General', message: 'no', diagnosticCode: ['550 no'] });

describe('the sentence for an event', () => {
  it.each(Object.keys(REASON_CODES))('exists for the reason %s', (code) => {
    expect(outcomeOf(event({ reason_code: code }))?.meaning).toMatch(/^[A-Z].*\.$/);
  });

  it.each(Object.keys(EMAIL_STATES))('exists for the event %s', (type) => {
    expect(outcomeOf(event({ type, bounce: bounce('Permanent') }))?.meaning).toMatch(/^[A-Z].*\.$/);
  });

  it.each(['Permanent', 'Transient', 'Undetermined'])('differs for a bounce that is %s', (type) => {
    expect(outcomeOf(event({ type: 'bounced', bounce: bounce(type) }))?.meaning).toMatch(/refused/);
  });

  it('has the next step for every reason', () => {
    for (const code of Object.keys(REASON_CODES)) {
      expect(outcomeOf(event({ reason_code: code }))?.advice).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('names the topic that a recipient opted out of', () => {
    const { meaning } = outcomeOf(event({ reason_code: 'topic_opted_out' }), 'Product news') ?? {};
    expect(meaning).toBe('The recipient opted out of Product news, so nothing was sent to them.');
  });

  it('says nothing of what it does not know', () => {
    expect(outcomeOf(event({ type: 'constructor', reason_code: 'toString' }))).toBeUndefined();
    expect(outcomeOf(event({ type: 'bounced', bounce: bounce('hasOwnProperty') }))).toEqual(
      outcomeOf(event({ type: 'bounced', bounce: null })),
    );
  });
});
