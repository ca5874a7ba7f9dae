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
