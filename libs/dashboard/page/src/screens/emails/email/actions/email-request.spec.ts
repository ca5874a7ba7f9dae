import type { Email } from '../../../../api/types';
import { requestOf } from './email-request';

const EMAIL: Email = {
  object: 'email',
  id: 'id',
  message_id: '<id@a.test>',
  from: 'Ann <a@a.test>',
  to: ['b@b.test'],
  cc: [],
  bcc: [],
  reply_to: ['c@c.test'],
  subject: '',
  html: '<p>',
  text: null,
  created_at: '2026-11-23 05:00:00.000000+00',
  scheduled_at: '2026-11-24 05:00:00.000000+00',
  last_event: 'scheduled',
  tags: [{ name: 'a', value: '' }],
  topic_id: null,
  priority: 'now',
};

describe('requestOf', () => {
  it('has the values that were given', () => {
    expect(requestOf(EMAIL)).toEqual({
      from: 'Ann <a@a.test>',
      to: ['b@b.test'],
      reply_to: ['c@c.test'],
      subject: '',
      html: '<p>',
      tags: [{ name: 'a', value: '' }],
      scheduled_at: '2026-11-24 05:00:00.000000+00',
    });
  });

  it('has the time of an email that waits for it, and an empty text', () => {
    const { scheduled_at, ...sent } = requestOf({ ...EMAIL, last_event: 'sent', text: '' });
    expect(scheduled_at).toBeUndefined();
    expect(sent.text).toBe('');
  });
});
