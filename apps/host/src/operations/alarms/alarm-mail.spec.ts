import { jest } from '@jest/globals';
import { ApiError, type EmailsService } from 'nestjs-emails';
import { AlarmMail } from './alarm-mail.js';

const SINCE = new Date('2026-11-26T10:00:00Z');
const ALARM = { code: 'quota', account: 'acme', subject: 'a\r\nb', text: 'Full.', since: SINCE };

function mailThat(send: EmailsService['send'] = async () => ({ id: 'one' }) as never) {
  const sent = jest.fn(send);
  const logger = { error: jest.fn() };
  const mail = new AlarmMail(['a@to.test', 'b@to.test'], 'alarms@from.test', { send: sent }, logger);
  return { mail, sent, logged: logger.error };
}

describe('AlarmMail', () => {
  it('sends one email of an account of its own for a begin, however often it is called', async () => {
    const { mail, sent } = mailThat();
    await mail.send(ALARM, 'abc');
    expect(sent.mock.calls).toEqual([
      [
        'alarms',
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

  it('logs its emails that do not arrive, without an address, and no other emails', () => {
    const { mail, logged } = mailThat();
    const event = {
      id: '1',
      createdAt: SINCE,
      emailId: 'two',
      type: 'bounced',
      reasonCode: 'address_unknown',
    } as const;
    mail.onFailure({ ...event, accountId: 'alarms', recipient: 'a@to.test', reason: '550 a@to.test is unknown' });
    mail.onFailure({ ...event, accountId: 'acme' });
    expect(logged.mock.calls).toEqual([
      [{ emailId: 'two', reason: 'address_unknown' }, 'An alarm did not reach an address of ALARM_TO: bounced.'],
    ]);
  });
});
