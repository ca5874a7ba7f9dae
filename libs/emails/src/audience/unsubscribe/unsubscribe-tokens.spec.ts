import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const of = (...secrets: string[]) => new UnsubscribeTokens(new SecretKeys(secrets));
const RECIPIENT = {
  accountId: '0196a000-0000-7000-8000-00000000000a',
  topicId: '0196a000-0000-7000-8000-00000000000b',
  emailId: '0196a000-0000-7000-8000-00000000000c',
  address: 'jane.doe@customer.example',
};
const TOKEN = of(OLD).write(RECIPIENT) as string;

describe('UnsubscribeTokens', () => {
  it('lead back to account, topic, email and address, and show none of them', () => {
    expect(of(OLD).read(TOKEN)).toEqual(RECIPIENT);
    expect(TOKEN).toMatch(/^[\w-]{139}$/);
    expect(Buffer.from(TOKEN, 'base64url').toString('latin1')).not.toMatch(/jane|customer/);
  });

  it('are the same in every process with the same secret, and for every attempt', () => {
    // A change would invalidate the links in all mail that was sent.
    expect(TOKEN).toBe(of(OLD).write(RECIPIENT));
    expect(TOKEN.slice(0, 20)).toBe('AZtQEPu_nPEHq3BdlGxe');
  });

  it('are written by the first secret, and read by all', () => {
    expect(of(NEW, OLD).read(TOKEN)).toEqual(RECIPIENT);
    expect(of(NEW).read(TOKEN)).toBeUndefined();
    expect(of(NEW, OLD).write(RECIPIENT)).not.toBe(TOKEN);
    expect(of().write(RECIPIENT)).toBeUndefined();
    expect(of().read(TOKEN)).toBeUndefined();
  });

  it('differ for each part of the recipient, in every part', () => {
    const others = [
      { ...RECIPIENT, accountId: randomUUID() },
      { ...RECIPIENT, topicId: randomUUID() },
      { ...RECIPIENT, emailId: randomUUID() },
      { ...RECIPIENT, address: 'jane.doe@customer.exampla' },
    ];
    const heads = [RECIPIENT, ...others].map((recipient) => of(OLD).write(recipient)?.slice(0, 17));
    expect(new Set(heads).size).toBe(5);
  });

  it('cannot be changed in any place, cut, or written in another way', () => {
    for (let at = 0; at < TOKEN.length; at++) {
      const other = TOKEN[at] === 'A' ? 'B' : 'A';
      expect(of(OLD).read(TOKEN.slice(0, at) + other + TOKEN.slice(at + 1))).toBeUndefined();
      expect(of(OLD).read(TOKEN.slice(0, at))).toBeUndefined();
    }
    for (const text of [`${TOKEN}A`, `${TOKEN}=`, ` ${TOKEN}`, TOKEN.toLowerCase(), `${TOKEN}\0`, TOKEN + TOKEN]) {
      expect(of(OLD).read(text)).toBeUndefined();
    }
  });

  it('do not mix accounts: no two splits of account and address are the same', () => {
    const one = of(OLD).write({ ...RECIPIENT, accountId: 'shop', address: 'ab@to.test' });
    const other = of(OLD).write({ ...RECIPIENT, accountId: 'shopa', address: 'b@to.test' });
    expect(one).not.toBe(other);
    expect(of(OLD).read(one as string)).toMatchObject({ accountId: 'shop', address: 'ab@to.test' });
  });

  it('hold every account and address', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.emailAddress(),
        (accountId, address) => {
          const recipient = { ...RECIPIENT, accountId, address };
          expect(of(OLD).read(of(OLD).write(recipient) as string)).toEqual(recipient);
        },
      ),
    );
    const upper = { ...RECIPIENT, accountId: RECIPIENT.accountId.toUpperCase() };
    expect(of(OLD).read(of(OLD).write(upper) as string)).toEqual(upper);
  });

  it('are not any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(of(OLD).read(text)).toBeUndefined()));
    expect(of(OLD).read('A'.repeat(1_000_000))).toBeUndefined();
  });
});
