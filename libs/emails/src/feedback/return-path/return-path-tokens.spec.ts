import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { ReturnPathTokens } from './return-path-tokens.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const EMAIL = '0196a000-0000-7000-8000-0000000000ff';
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 26, 12);
const tokensOf = (secrets: string[], now = NOW) => new ReturnPathTokens(new SecretKeys(secrets), () => now);
const signed = (recipient: number | undefined, secrets = [OLD]) =>
  tokensOf(secrets).sign({ emailId: EMAIL, recipient }) as string;

describe('ReturnPathTokens', () => {
  it.each([0, 1, 149, 0xfffe, undefined])('lead back to an email and its recipient %s', (recipient) => {
    const token = signed(recipient);
    expect(token).toMatch(/^[a-z2-7]{47}$/);
    expect(tokensOf([OLD]).read(token)).toEqual({ emailId: EMAIL, recipient });
    expect(tokensOf([OLD]).read(token.toUpperCase())).toEqual({ emailId: EMAIL, recipient });
  });

  it('are shared where the index is too large', () => {
    expect(tokensOf([OLD]).read(signed(70_000))).toEqual({ emailId: EMAIL, recipient: undefined });
  });

  it('are the same in every process with the same secret', () => {
    // A change would invalidate the tokens of all mail under way.
    expect(signed(0)).toBe('aeazniaaaaahaaeaaaaaaaaaad7qaaf6umch72z66i7kfmq');
  });

  it('are signed by the first secret, and read by all', () => {
    const token = signed(0);
    expect(tokensOf([NEW, OLD]).read(token)).toBeDefined();
    expect(tokensOf([NEW]).read(token)).toBeUndefined();
    expect(tokensOf([OLD]).read(signed(0, [NEW, OLD]))).toBeUndefined();
    expect(tokensOf([]).sign({ emailId: EMAIL, recipient: 0 })).toBeUndefined();
    expect(tokensOf([]).read(token)).toBeUndefined();
  });

  it('end after 45 days, whatever the age of the email', () => {
    const token = signed(0);
    for (const days of [-1, 0, 45]) expect(tokensOf([OLD], NOW + days * DAY).read(token)).toBeDefined();
    for (const days of [-2, 46, 400]) expect(tokensOf([OLD], NOW + days * DAY).read(token)).toBeUndefined();
  });

  it('cannot be changed in any place', () => {
    const token = signed(3);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(tokensOf([OLD]).read(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', 'a', 'a'.repeat(47), 'a'.repeat(100_000), '\0'.repeat(47), 'ſ'.repeat(47)])(
    'are not text %#',
    (text) => {
      expect(tokensOf([OLD]).read(text)).toBeUndefined();
    },
  );
});
