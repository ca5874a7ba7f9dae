import type { ReportedOutcome } from '../ports/reported-outcome.js';
import { checkReport } from './reported-outcome.check.js';

const report = { emailId: 'id', recipient: 'a@to.test', kind: 'bounced', source: 'dsn' };

describe('checkReport', () => {
  it.each([
    {},
    { recipient: ['a@else.test', 'a@to.test'] },
    { recipient: undefined, recipientIndex: 0 },
    { recipient: undefined, mayBeUnnamed: true },
    { accountId: 'one', code: 'unknown_user', reply: '', bounce: { type: 'Permanent', subType: 'NoEmail' } },
  ])('lets a report with %p pass', (fields) => {
    expect(() => checkReport({ ...report, ...fields } as ReportedOutcome)).not.toThrow();
  });

  it.each([
    [{ emailId: 7 }, '`emailId` of a report must be a string.'],
    [{ accountId: '' }, '`accountId` of a report must be the id of an account.'],
    [{ recipient: undefined }, '`recipient` of a report must be a string or a list of strings.'],
    [{ recipient: ['a@to.test', 7] }, '`recipient` of a report must be a string or a list of strings.'],
    [{ recipientIndex: -1 }, '`recipientIndex` of a report must be a whole number from 0 on.'],
    [{ mayBeUnnamed: 'yes' }, '`mayBeUnnamed` of a report must be true or false.'],
    [
      { kind: 'toString' },
      '`kind` of a report must be one of delivered, deferred, bounced, failed, complained, unsubscribed.',
    ],
    [{ source: 'smtp' }, '`source` of a report must be one of dsn, feedback, relay, unsubscribe.'],
    [{ code: 'No such user' }, '`code` of a report must have 1 to 50 characters of a-z, 0-9 and _.'],
    [{ reply: null }, '`reply` of a report must be a string.'],
    [{ bounce: { type: 'Permanent' } }, '`bounce` of a report must have a `type` and a `subType` of bounces.'],
    [
      { diagnostic: 'y' },
      '`diagnostic` is no field of a report. Its fields are emailId, accountId, recipient, recipientIndex, mayBeUnnamed, kind, source, code, reply, bounce.',
    ],
  ])('refuses %p', (fields, message) => {
    expect(() => checkReport({ ...report, ...fields } as ReportedOutcome)).toThrow(new TypeError(message));
  });
});
