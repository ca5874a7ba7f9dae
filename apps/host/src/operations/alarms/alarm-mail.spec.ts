import { jest } from '@jest/globals';
import { ApiError, type EmailsService } from 'nestjs-emails';
import { AlarmMail } from './alarm-mail.js';

const SINCE = new Date('2026-11-26T10:00:00Z');
const ALARM = { code: 'quota', account: 'acme', subject: 'a\r\nb', text: 'Full.', since: SINCE };

function mailThat(send: EmailsService['send'] = async () => ({ id: 'one' }) as never) {
  const sent = jest.fn(send);
  const mail = new AlarmMail(
    ['a@to.test', 'b@to.test'],
    'alarms@from.test',
    { send: sent },
    {
      ensureDefault: async () => 'id of default',
    },
  );
  return { mail, sent };
}

describe('AlarmMail', () => {
  it('sends one email of the account `default` for a begin, however often it is called', async () => {
    const { mail, sent } = mailThat();
    await mail.send(ALARM, 'abc');
    expect(sent.mock.calls).toEqual([
      [
        'id of default',
        {
          from: 'alarms@from.test',
          to: ['a@to.test', 'b@to.test'],
          subject: 'Alarm: quota (a b)',
          text: 'Full.\n\nAlarm: quota\nSubject: a b\nAccount: acme\nSince: 2026-11-26T10:00:00.000Z\n',
        },
        { idempotencyKey: 'alarm-abc' },
      ],
    ]);
  });

  it('names the end', async () => {
    const { mail, sent } = mailThat();
    await mail.send({ code: 'mail_late', subject: 'x'.repeat(200), text: 'Late.', since: SINCE, until: SINCE }, 'abc');
    const [, email] = sent.mock.calls[0] ?? [];
    expect(email?.subject).toBe(`Ended: mail_late (${'x'.repeat(100)})`);
    expect(email?.text).toMatch(/\nEnded: 2026-11-26T10:00:00.000Z\n$/);
    expect(email?.text).not.toContain('Account');
  });

  it.each([
    [new ApiError(403, 'invalid_access', 'Not for jane@to.test.'), 'the email was not accepted (invalid_access)'],
    [new Error('jane@to.test'), 'the email was not accepted (database)'],
  ])('rejects without an address', async (failure, message) => {
    const { mail } = mailThat(() => Promise.reject(failure));
    await expect(mail.send(ALARM, 'abc')).rejects.toThrow(new Error(message));
  });
});
