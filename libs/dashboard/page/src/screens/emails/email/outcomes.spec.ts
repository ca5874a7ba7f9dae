import { EMAIL_STATES, REASON_CODES } from 'nestjs-emails/facts';
import type { EmailEvent } from '../../../api/types';
import { outcomeOf } from './outcomes';

const event = (fields: Partial<EmailEvent>): EmailEvent => ({
  id: 'event',
  type: 'failed',
  recipient: null,
  created_at: '2026-11-26 12:00:00.000000+00',
  reason: null,
  reason_code: null,
  attempt: null,
  source: 'worker',
  bounce: null,
  ...fields,
});

const bounce = (type: string) => ({ type, subType: 'General', message: 'no', diagnosticCode: ['550 no'] });

/** Nobody is watched, so these never happen. */
const NEVER = new Set(['opened', 'clicked']);

describe('the sentence for an event', () => {
  it.each(Object.keys(REASON_CODES))('exists for the reason %s', (code) => {
    expect(outcomeOf(event({ reason_code: code }))?.meaning).toMatch(/^[A-Z].*\.$/);
  });

  it.each(Object.keys(EMAIL_STATES).filter((state) => !NEVER.has(state)))('exists for the event %s', (type) => {
    expect(outcomeOf(event({ type, bounce: bounce('Permanent') }))?.meaning).toMatch(/^[A-Z].*\.$/);
  });

  it.each(['Permanent', 'Transient', 'Undetermined'])('differs for a bounce that is %s', (type) => {
    expect(outcomeOf(event({ type: 'bounced', bounce: bounce(type) }))?.meaning).toMatch(/refused/);
  });

  it('says nothing of what it does not know', () => {
    expect(outcomeOf(event({ type: 'constructor', reason_code: 'toString' }))).toBeUndefined();
    expect(outcomeOf(event({ type: 'bounced', bounce: bounce('hasOwnProperty') }))).toBeUndefined();
  });
});
