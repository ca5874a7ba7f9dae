import type { DeliveryReports } from '../../ports/email-transport.js';
import { dsnOfMail, dsnOfRecipient, dsnProblem } from './dsn.js';

it.each<[DeliveryReports, string, string]>([
  [{}, '', ' ORCPT=rfc822;a+2Bb@to.test'],
  [{ ret: 'full' }, ' RET=FULL', ' ORCPT=rfc822;a+2Bb@to.test'],
  [{ ret: 'headers', envelopeId: 'a b+c=d' }, ' RET=HDRS ENVID=a+20b+2Bc+3Dd', ' ORCPT=rfc822;a+2Bb@to.test'],
  [{ notify: ['never'] }, '', ' NOTIFY=NEVER ORCPT=rfc822;a+2Bb@to.test'],
  [{ notify: ['success', 'delay'] }, '', ' NOTIFY=SUCCESS,DELAY ORCPT=rfc822;a+2Bb@to.test'],
])('%j is sent with MAIL as %j, with RCPT as %j', (reports, ofMail, ofRecipient) => {
  expect(dsnProblem(reports)).toBeUndefined();
  expect([dsnOfMail(reports), dsnOfRecipient(reports, 'a+b@to.test')]).toEqual([ofMail, ofRecipient]);
});

it('encodes a recipient beyond ASCII by RFC 6533, and omits one that is too long', () => {
  expect(dsnOfRecipient({}, 'jörg+x@to.test')).toBe(' ORCPT=utf-8;j\\x{F6}rg\\x{2B}x@to.test');
  expect(dsnOfRecipient({}, '🔑@to.test')).toBe(' ORCPT=utf-8;\\x{1F511}@to.test');
  expect(dsnOfRecipient({}, `${'+'.repeat(180)}@to.test`)).toBe('');
});

it.each<[unknown, RegExp]>([
  [{ ret: 'body' }, /dsn\.ret/],
  [{ ret: 'toString' }, /dsn\.ret/],
  [{ envelopeId: null }, /dsn\.envelopeId/],
  [{ envelopeId: 5 }, /dsn\.envelopeId/],
  [{ envelopeId: '' }, /dsn\.envelopeId/],
  [{ envelopeId: 'a\r\nRSET' }, /dsn\.envelopeId/],
  [{ envelopeId: 'ä' }, /dsn\.envelopeId/],
  [{ envelopeId: 'x'.repeat(101) }, /dsn\.envelopeId/],
  [{ envelopeId: '+'.repeat(34) }, /dsn\.envelopeId/],
  [{ notify: [] }, /dsn\.notify/],
  [{ notify: 'never' }, /dsn\.notify/],
  [{ notify: ['never', 'success'] }, /dsn\.notify/],
  [{ notify: ['success', 'success'] }, /dsn\.notify/],
  [{ notify: ['relayed'] }, /dsn\.notify/],
])('%j is refused', (reports, problem) => {
  expect(dsnProblem(reports as DeliveryReports)).toMatch(problem);
});
