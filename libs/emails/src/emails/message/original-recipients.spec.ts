import { withOriginalRecipients } from './original-recipients.js';

const EMAIL = {
  to: ['Ada <Ada@To.test>', 'bo@to.test'],
  cc: ['"Doe, Jane" <jane@bücher.example>'],
  headers: [['X-A', 'b']] as [string, string][],
};
const fieldsOf = (recipients: string[], email = EMAIL) =>
  withOriginalRecipients(email, recipients).headers.slice(email.headers.length);

describe('withOriginalRecipients', () => {
  it('names the recipients of the message that are in to and cc, and counts the others', () => {
    expect(
      fieldsOf(['Ada@to.test', 'bo@to.test', 'jane@xn--bcher-kva.example', 'hidden@to.test', 'other@to.test']),
    ).toEqual([
      ['X-Original-To', 'Ada@to.test, bo@to.test, jane@xn--bcher-kva.example'],
      ['X-Original-Bcc', '2 others'],
    ]);
  });

  it('names those of one message alone', () => {
    expect(fieldsOf(['bo@to.test'])).toEqual([['X-Original-To', 'bo@to.test']]);
    expect(fieldsOf(['hidden@to.test'])).toEqual([['X-Original-Bcc', '1 others']]);
  });

  it('knows an address in another spelling', () => {
    expect(fieldsOf(['ADA@to.test'])).toEqual([['X-Original-To', 'ADA@to.test']]);
  });

  it('replaces such fields of an email that was accepted before they were owned', () => {
    const email = { ...EMAIL, headers: [['x-original-TO', 'forged@to.test'] as [string, string]] };
    expect(withOriginalRecipients(email, ['bo@to.test']).headers).toEqual([['X-Original-To', 'bo@to.test']]);
  });

  it('leaves the email itself unchanged', () => {
    withOriginalRecipients(EMAIL, ['bo@to.test']);
    expect(EMAIL.headers).toEqual([['X-A', 'b']]);
  });
});
