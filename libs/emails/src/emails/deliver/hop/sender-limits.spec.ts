import { costOf } from '../../../shared/work/growth.spec-tools.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import { isLimitForOthers, isSenderLimit } from './sender-limits.js';

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
const replyOf = (text: string) => ({ code: Number(text.slice(0, 3)), text });
const refused = (text: string, address = TO): RecipientOutcome => ({
  address,
  outcome: 'deferred',
  reply: replyOf(text),
});
const isForOthers = (text: string, email: object = {}) => isLimitForOthers({ ...EMAIL, ...email }, [refused(text)]);

describe('a limit of the sender', () => {
  it('is known by the words of relays', () => {
    expect(isSenderLimit(replyOf('454 Throttling failure: Maximum sending rate exceeded'))).toBe(true);
    expect(isSenderLimit(replyOf('550 5.4.5 Daily user sending quota exceeded. - gsmtp'))).toBe(true);
  });

  it.each([
    '454 Throttling failure: Maximum sending rate exceeded.',
    '454 Throttling failure: Daily message quota exceeded.',
    '550 5.4.5 Daily SMTP relay sending limit exceeded for user. For more information on Gmail sending limits go to',
    '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to',
    '550 5.7.1 Daily SMTP relay limit exceeded for customer. For more information on SMTP relay sending limits please contact your administrator.',
    '421 4.7.0 Peak SMTP relay limit exceeded for customer.',
    '450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.',
    '550 5.7.1 Weekly SMTP relay limit exceeded',
    '550 5.7.1 SMTP relay quota exceeded.',
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    '550 5.7.705 Access denied, tenant has exceeded threshold',
    "550 5.7.233 Your message can't be sent because your tenant exceeded its daily limit for sending email to external recipients (tenant external recipient rate limit)",
    "550 5.7.232 Your message can't be sent because your trial tenant has exceeded its daily limit for sending email to external recipients",
    '421 4.4.2 Message submission rate for this client has exceeded the configured limit',
    '451 4.7.0 Exceeded submission rate limit',
    '550 5.2.2 mailbox over its sending limit',
    '451 Authentication failed: Maximum credits exceeded',
    '550 Maximum credits exceeded',
    '420 4.7.1 Account exceeded its hourly sending limit',
    '550 5.7.1 Exceed Sending Limit (daily)',
    '550 5.7.1 Exceed Sending Limit (hourly)',
    '550 Domain example.com has exceeded the max emails per hour (101/100 (101%)) allowed. Message discarded.',
    '550 Domain example.com has exceeded the max defers and failures per hour (5/5 (100%)) allowed. Message discarded.',
    '550 5.4.6 Unusual sending activity detected. Please try after sometime.',
    '550 5.7.1 Sender rate limit exceeded',
    '550 5.7.1 Rate limit exceeded',
    '452 4.3.1 Sender rate limit exceeded',
    '550 Message rate limit exceeded',
    '550 5.7.1 Message quota exceeded for your account',
    '450 4.7.1 Policy rejection; Message count quota exceeded',
    '550 5.7.1 Policy rejection; Message count quota exceeded',
    '550 You have exceeded your relay quota',
    '550 This mailbox has reached its relay limit',
    '552 5.2.0 relay limit reached. Your SMTP relays quota was exhausted',
    '550 You have reached your daily email sending quota.',
    '450 You have reached your daily email sending quota.',
    '550 5.7.1 Too many messages sent from this account, please retry later',
    '550 5.7.0 Email sending limit reached. Please upgrade your plan',
    '550 5.7.1 Your account has reached its monthly email limit',
    "552 Your plan's monthly email limit has been reached",
    '550 5.7.0 Monthly quota exceeded',
    '550 5.7.0 Daily quota exceeded',
    '550 Daily limit exceeded',
    '550 Sending limit exceeded for this domain',
    '550 5.7.1 You have exceeded the maximum number of messages you can send per day',
    '554 5.7.1 You have exceeded the number of emails you may send',
    '550 5.7.1 Number of messages per hour exceeded',
    '554 You have sent too many messages today. Try again tomorrow',
    '550 SMTP limit exceeded, too many recipients per day',
    '550 5.7.1 Outgoing mail limit exceeded',
    '550 Outbound message limit reached for user',
    '554 5.7.0 Too many emails per second',
    '451 4.7.1 Too many emails per second. Please try again.',
    '550 5.7.0 Requested action not taken: too many emails per second',
    '550 5.7.0 The email limit is reached. Please upgrade your plan',
    '552 Sandbox limit reached',
    '550 5.7.1 [SRS] account suspended for exceeding sending limits',
    '550 Quota exceeded: outgoing messages for today',
    '554 Mail quota exceeded for sender',
    '554 5.7.1 The message from <a@b.test> exceeded hourly quota of sender',
  ])('is named at the end of the content: %s', (text) => {
    expect(isSenderLimit({ ...replyOf(text), stage: 'dot' })).toBe(true);
  });

  it.each([
    '554 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP',
    '432 4.3.2 Concurrent connections limit exceeded.',
    '450 4.7.1 Error: too much mail from 192.0.2.1',
    '421 4.7.28 Our system has detected an unusual rate of unsolicited mail',
    '552 5.2.2 Mailbox quota exceeded',
    '552 5.2.2 User quota exceeded',
    '552 5.3.4 Message size limit exceeded',
    '452 4.3.1 Disk quota exceeded',
    '421 4.7.0 Connection rate limit exceeded',
    '554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
    '452 4.2.2 Too many messages in the mailbox',
    '452 4.5.3 Too many recipients',
  ])('is none, but one of the connection, the recipient or the server: %s', (text) => {
    expect(isSenderLimit({ ...replyOf(text), stage: 'dot' })).toBe(false);
  });

  it('is named by an exceeded quota at MAIL, where nothing is known of recipients', () => {
    const text = '550 5.7.1 Quota exceeded';
    const at = (['mail', 'rcpt', 'dot', undefined] as const).map((stage) =>
      isSenderLimit({ ...replyOf(text), ...(stage && { stage }) }),
    );
    expect(at).toEqual([true, false, false, false]);
  });

  it.each(['550 5.7.1 Rate limit exceeded', '452 4.2.1 Too many messages per hour'])(
    'is none at RCPT, where it may be one of the recipient: %s',
    (text) => {
      expect(isSenderLimit({ ...replyOf(text), stage: 'rcpt' })).toBe(false);
      expect(isSenderLimit(replyOf(text))).toBe(false);
    },
  );

  it('is not known by words of a host behind the next hop, nor without a code', () => {
    const quoted = '450 4.1.1 unverified address: host mx.evil.test said: 452 daily sending quota exceeded';
    expect(isSenderLimit(replyOf(quoted))).toBe(false);
    expect(isSenderLimit(replyOf('550-Callout verification failed: 550 5.4.5 Daily sending limit exceeded'))).toBe(
      false,
    );
    expect(isSenderLimit({ text: 'Daily user sending quota exceeded', error: 'ETIMEDOUT' })).toBe(false);
  });
});

describe('a limit for others', () => {
  it('is one whose words are not those of the email', () => {
    expect(isForOthers('454 Throttling failure: Maximum sending rate exceeded')).toBe(true);
    expect(isForOthers('550 5.1.1 no such user')).toBe(false);
    expect(
      isLimitForOthers(EMAIL, [{ address: TO, outcome: 'accepted', reply: replyOf('250 Throttling failure') }]),
    ).toBe(false);
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
    ['554 5.7.1 Message rejected: header Subject: throttling failure', { subject: 'Our THROTTLING had a Failure' }],
    [
      '554 5.7.1 X-Note: daily sending quota exceeded',
      { headers: [['X-Note', 'the daily sending quota was exceeded']] },
    ],
    ['554 5.7.1 Bad file throttling failure.exe', { attachments: [{ filename: 'throttling failure.exe' }] }],
  ])('is none in words of the email: %s', (text, email) => {
    expect(isForOthers(text, email)).toBe(false);
  });

  it('costs about the same for fifty refused recipients of an email with long headers', () => {
    const headers = Array.from({ length: 100 }, (_, at): [string, string] => [`X-${at}`, 'word '.repeat(190)]);
    const limited = (count: number) =>
      Array.from({ length: count }, (_, at) => refused(`454 Throttling failure of word ${at}`, `${at}@to.test`));
    const [one, fifty] = [limited(1), limited(50)];
    const ofOne = costOf(() => isLimitForOthers({ ...EMAIL, headers }, one));
    expect(costOf(() => isLimitForOthers({ ...EMAIL, headers, subject: 'throttling' }, fifty))).toBeLessThan(5 * ofOne);
  });
});
