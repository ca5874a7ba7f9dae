import type { EmailEvent, EmailRecipient } from '../../../../api/types';
import { groupEvents, replyOf } from './grouped-events';

const event = (id: string, recipient: string | null): EmailEvent => ({
  id,
  type: 'sent',
  recipient,
  created_at: '2026-11-23 05:00:00.000000+00',
  reason: null,
  reason_code: null,
  attempt: 1,
  transport: null,
  source: 'smtp',
  bounce: null,
});
const to = (address: string): EmailRecipient => ({
  address,
  field: 'to',
  last_event: 'sent',
  attempts: 1,
  last_attempt_at: null,
  next_attempt_at: null,
  reason: null,
  reason_code: null,
});

describe('grouped events', () => {
  it('stand together for one recipient, newest last', () => {
    const groups = groupEvents([event('2', 'a@b.test'), event('1', null)], [to('a@b.test')]);
    expect(groups.map(({ events }) => events.map(({ id }) => id))).toEqual([['1', '2']]);
  });

  it('stand by recipient for several, after those of the whole email', () => {
    const groups = groupEvents(
      [event('3', 'b@b.test'), event('2', 'a@b.test'), event('1', null)],
      [to('a@b.test'), to('b@b.test'), to('c@b.test')],
    );
    expect(groups.map(({ address, events }) => [address, events.map(({ id }) => id)])).toEqual([
      [null, ['1']],
      ['a@b.test', ['2']],
      ['b@b.test', ['3']],
      ['c@b.test', []],
    ]);
  });

  it('prefer the reply of the server as text', () => {
    const bounce = { type: 'Permanent', subType: 'NoEmail', message: 'why', diagnosticCode: ['smtp; 550 no'] };
    expect(replyOf({ ...event('1', null), bounce, reason: 'bounced' })).toBe('550 no');
    expect(replyOf({ ...event('1', null), reason: 'expired' })).toBe('expired');
    expect(replyOf(event('1', null))).toBeUndefined();
  });
});
