import { costOf } from '../../../shared/work/growth.spec-tools.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import { withoutQuotedLimits } from './quoted-limits.js';
import { isSenderLimit } from './sender-limits.js';

const TO = 'a@to.test';
const EMAIL = {
  ...{ from: 'Shop <shop@from.test>', to: [TO], cc: [], replyTo: [], subject: 'Hello' },
  ...{ headers: [] as [string, string][], attachments: [] },
  recipients: [{ address: TO, status: 'pending' as const }],
};
const outcomeOf = (text: string, address = TO): RecipientOutcome => ({
  ...{ address, outcome: text.startsWith('5') ? 'rejected' : 'deferred' },
  reply: { code: Number(text.slice(0, 3)), text, stage: 'dot' },
});
const replyTo = (email: object, text: string) =>
  withoutQuotedLimits({ ...EMAIL, ...email }, [outcomeOf(text)])[0]?.reply;

const SUBJECT = 'Form: daily sending quota exceeded';

describe('withoutQuotedLimits', () => {
  it.each<[string, object]>([
    [`554 5.7.1 Message refused by filter. Subject was ${SUBJECT}`, { subject: SUBJECT }],
    [`554 5.7.1 Refused: "FORM: daily\r\n554 5.7.1 sending quota  exceeded"`, { subject: SUBJECT }],
    [`550 5.7.1 Refused, ${SUBJECT}, twice ${SUBJECT}`, { subject: SUBJECT }],
    ['554 5.7.1 Refused by X-Note: maximum credits', { headers: [['X-Note', 'maximum credits']] }],
    ['554 5.7.1 Bad file daily sending quota.exe', { attachments: [{ filename: 'daily sending quota.exe' }] }],
    ['554 5.7.1 Refused: sent by throttling failure', { from: 'Throttling failure <a@a.test>' }],
    [
      '450 4.7.1 The account throttling failure in 24h was refused',
      { recipients: [{ address: '"throttling failure in 24h"@a.test', status: 'pending' }] },
    ],
  ])('leaves no limit in a reply that quotes the email: %s', (text, email) => {
    const reply = replyTo(email, text);
    expect(isSenderLimit(outcomeOf(text).reply)).toBe(true);
    expect(reply).toMatchObject({ text, reasonCode: expect.not.stringMatching('sender_limit') });
    expect(isSenderLimit(reply as never)).toBe(false);
  });

  it.each<[string, object]>([
    ['550 5.4.5 Daily sending quota exceeded', { subject: 'daily digest' }],
    ['550 5.4.5 Daily sending quota exceeded', { subject: 'quota' }],
    ['550 5.4.5 Daily sending quota exceeded', { subject: 'Your daily sending report' }],
    ['550 5.4.5 Daily sending quota exceeded', { subject: 'Daily sending quota exceeded' }],
    ['454 4.7.0 Throttling failure: Maximum sending rate exceeded', { subject: 'Throttling failure' }],
    [`550 Refused: ${SUBJECT}. Maximum credits exceeded`, { subject: SUBJECT }],
    ['550 Domain to.test has exceeded the max emails per hour (5/5)', { subject: 'Emails per hour' }],
    [`554 5.7.1 Refused: ${SUBJECT}`, { subject: 'Form' }],
  ])('leaves a limit of the server: %s', (text, email) => {
    expect(replyTo(email, text)).toEqual(outcomeOf(text).reply);
  });

  it('leaves other outcomes', () => {
    const outcomes: RecipientOutcome[] = [
      { address: TO, outcome: 'accepted', reply: { code: 250, text: `250 ${SUBJECT}` } },
      outcomeOf(`550 5.1.1 no such user ${SUBJECT}`.replace('daily', 'weekly')),
    ];
    expect(withoutQuotedLimits({ ...EMAIL, subject: SUBJECT }, outcomes)).toEqual(outcomes);
  });

  it('costs about the same for fifty refused recipients of an email with long headers', () => {
    const headers = Array.from({ length: 100 }, (_, at): [string, string] => [`X-${at}`, 'word '.repeat(190)]);
    const limited = (count: number) =>
      Array.from({ length: count }, (_, at) => outcomeOf(`454 Throttling failure of word ${at}`, `${at}@to.test`));
    const [one, fifty] = [limited(1), limited(50)];
    const ofOne = costOf(() => withoutQuotedLimits({ ...EMAIL, headers }, one));
    expect(costOf(() => withoutQuotedLimits({ ...EMAIL, headers }, fifty))).toBeLessThan(5 * ofOne);
  });

  it.each<[string, (at: number) => string, (at: number) => string]>([
    ['the same words', () => 'word '.repeat(100), (at) => 'word '.repeat(at + 1)],
    ['ever other words', (at) => `word ${at} `.repeat(60), (at) => 'word '.repeat(at + 1)],
    ['limits', (at) => `throttling failure ${at} `.repeat(20), (at) => 'throttling failure '.repeat(at % 20)],
  ])('costs little where fifty replies repeat %s that headers repeat', (_, said, value) => {
    const outcomes = Array.from({ length: 50 }, (_, at) =>
      outcomeOf(`454 Throttling failure ${said(at)}`.slice(0, 500), `${at}@to.test`),
    );
    const headers = (of: (at: number) => string) =>
      Array.from({ length: 100 }, (_, at): [string, string] => [`X-${at}`, of(at)]);
    const plain = costOf(() => withoutQuotedLimits({ ...EMAIL, headers: headers((at) => `other ${at}`) }, outcomes));
    const hostile = costOf(() => withoutQuotedLimits({ ...EMAIL, headers: headers(value) }, outcomes));
    expect(hostile).toBeLessThan(15 * plain);
  });
});
