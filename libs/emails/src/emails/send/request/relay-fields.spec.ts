import { namesEmail } from './relay-fields.js';

describe('namesEmail', () => {
  it.each([
    ['X-PM-Metadata-email_id', 'x'],
    ['x-pm-metadata-Email_Id', 'x'],
    ['X-SES-MESSAGE-TAGS', 'campaign=a, email_id=0192f0c1-2345-7abc-8def-0123456789ab'],
    ['X-SMTPAPI', '{"unique_args":{"email_id":"b"}}'],
    ['x-smtpapi', '{"unique_args":{"\\u0065mail_id":"b"}}'],
    ['X-Mailgun-Variables', '{"email\\u005fid":"b"}'],
    ['X-Mailgun-Variables', '{"email\\u005fid":"b"'],
  ])('is true of %s: %s', (name, value) => {
    expect(namesEmail(name, value)).toBe(true);
  });

  it.each([
    ['X-PM-Metadata-order', '7'],
    ['X-SES-MESSAGE-TAGS', 'campaign=a'],
    ['X-SMTPAPI', '{"category":"M\\u00fcnchen"}'],
    ['X-Mailgun-Variables', '{"order":7}'],
    ['X-Mailgun-Variables', 'order'],
    ['X-Other', 'email_id'],
  ])('is false of %s: %s', (name, value) => {
    expect(namesEmail(name, value)).toBe(false);
  });
});
