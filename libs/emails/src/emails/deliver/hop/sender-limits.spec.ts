import type { SmtpReply } from '../../ports/email-transport.js';
import { senderLimits } from './sender-limits.js';

const TO = 'a@to.test';
const EMAIL = {
  from: 'Shop <shop@from.test>',
  to: [TO],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  headers: [] as [string, string][],
  recipients: [{ address: TO, status: 'pending' as const }],
  attachments: [],
};

const limitsOf = (
  text: string,
  { email = {}, retryAfter = 0, ...reply }: Partial<SmtpReply> & { email?: object; retryAfter?: number } = {},
) =>
  senderLimits({ ...EMAIL, ...email }, [
    { address: TO, outcome: 'deferred', reply: { code: Number(text.slice(0, 3)), text, ...reply }, retryAfter },
  ]);

describe('senderLimits', () => {
  it.each([
    '454 Throttling failure: Maximum sending rate exceeded',
    '550 5.4.5 Daily user sending quota exceeded. - gsmtp',
  ])('has a recipient refused by %s, with the wait', (text) => {
    expect(limitsOf(text, { retryAfter: 5_000 })).toEqual(new Map([[TO, 5_000]]));
  });

  it('has none for words of a host behind the next hop, without a code, and for an accepted recipient', () => {
    expect(
      limitsOf('450 4.1.1 unverified address: host mx.evil.test said: 452 daily sending quota exceeded').size,
    ).toBe(0);
    expect(
      senderLimits(EMAIL, [
        { address: TO, outcome: 'deferred', reply: { text: 'Daily user sending quota exceeded', error: 'ETIMEDOUT' } },
      ]).size,
    ).toBe(0);
    const reply = { code: 250, text: '250 Throttling failure' };
    expect(senderLimits(EMAIL, [{ address: TO, outcome: 'accepted', reply }]).size).toBe(0);
  });

  const QUOTED = '"throttling failure try again in 24h x"@a.test';
  const AS_RECIPIENT = { recipients: [{ address: QUOTED, status: 'pending' }] };

  it.each<[string, object]>([
    [`450 4.1.2 <${QUOTED}>: Recipient address rejected: Domain not found`, AS_RECIPIENT],
    ['450 4.1.2 <throttling failure try again in 24h x@a.test>: Recipient address rejected', AS_RECIPIENT],
    [
      '550 The email account throttling failure try again in 24h x that you tried to reach does not exist',
      AS_RECIPIENT,
    ],
    [`501 5.1.7 Bad sender address syntax: ${QUOTED}`, { from: QUOTED }],
    [
      '554 Message rejected: Email address is not verified: throttling failure <a@a.test>',
      { from: 'Throttling failure <a@a.test>' },
    ],
    [
      '554 5.7.1 Message rejected: header Subject: throttling failu',
      { subject: 'Throttling failu, throttling failure' },
    ],
    ['554 5.7.1 Message rejected: header Subject: throttling failure', { subject: 'Our THROTTLING had a Failure' }],
    [
      '554 5.7.1 X-Note: daily sending quota exceeded',
      { headers: [['X-Note', 'the daily sending quota was exceeded']] },
    ],
    ['554 5.7.1 Bad file throttling failure.exe', { attachments: [{ filename: 'throttling failure.exe' }] }],
  ])('has none for words of the email: %s', (text, email) => {
    expect(limitsOf(text, { email }).size).toBe(0);
  });

  it('has it for the same words of another email', () => {
    expect(limitsOf('554 5.7.1 Message rejected: throttling failure').size).toBe(1);
  });

  it('takes no wait from words of the email', () => {
    const text = '454 Throttling failure: Hello, please retry in 24h';
    expect(limitsOf(text, { retryAfter: 9_000 })).toEqual(new Map([[TO, 9_000]]));
    expect(limitsOf(text, { retryAfter: 9_000, email: { subject: 'Please retry' } })).toEqual(new Map([[TO, 0]]));
  });
});
