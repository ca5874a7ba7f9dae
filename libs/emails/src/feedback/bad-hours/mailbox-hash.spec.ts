import { mailboxHash } from './mailbox-hash.js';

describe('mailboxHash', () => {
  it.each([
    ['a+1@gmail.com', 'a@gmail.com'],
    ['A.b.c+x+y@GoogleMail.com', 'abc@gmail.com'],
    ['Anna+1@outlook.com', 'anna@outlook.com'],
    ['"anna+1"@outlook.com', 'anna@outlook.com'],
  ])('is that of the mailbox: %s is %s', (alias, mailbox) => {
    expect(mailboxHash(alias)).toBe(mailboxHash(mailbox));
  });

  it.each([
    ['a.b@outlook.com', 'ab@outlook.com'],
    ['a@gmail.com', 'a@outlook.com'],
    ['a@gmail.com', 'b@gmail.com'],
    ['+1@outlook.com', '+2@outlook.com'],
  ])('differs between mailboxes: %s is not %s', (one, other) => {
    expect(mailboxHash(one)).not.toBe(mailboxHash(other));
  });

  it('shows no address', () => {
    expect(mailboxHash('a@gmail.com')).toMatch(/^[0-9a-f]{64}$/);
  });
});
