import { resendFields } from './resend-fields.js';

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@to.test`);

describe('what is asked for when an email is sent again', () => {
  it('may name every recipient that an email can have', () => {
    expect(resendFields.read({ recipients: addresses(150) }).recipients).toHaveLength(150);
    expect(() => resendFields.read({ recipients: addresses(151) })).toThrow('`recipients` takes up to 150 mailboxes.');
  });
});
