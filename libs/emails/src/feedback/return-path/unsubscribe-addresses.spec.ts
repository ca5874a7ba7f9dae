import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { ReturnPathTokens } from './return-path-tokens.js';
import { UnsubscribeAddresses } from './unsubscribe-addresses.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const emailId = '0196a000-0000-7000-8000-0000000000ff';
const of = (secrets: string[], domain = 'bounces.test') => new UnsubscribeAddresses(domain, new SecretKeys(secrets));
const ADDRESS = of([OLD]).addressOf({ emailId, recipient: 3 }) as string;

describe('UnsubscribeAddresses', () => {
  it('lead back to the recipient, in any letter case', () => {
    expect(ADDRESS).toMatch(/^u\+[a-z2-7]{47}@bounces\.test$/);
    for (const address of [ADDRESS, ADDRESS.toUpperCase()]) {
      expect(of([OLD]).recipientOf(address)).toEqual({ emailId, recipient: 3 });
    }
  });

  it('are written by the first secret, and read by all', () => {
    expect(of([NEW, OLD]).recipientOf(ADDRESS)).toBeDefined();
    expect(of([NEW]).recipientOf(ADDRESS)).toBeUndefined();
    expect(of([NEW, OLD]).addressOf({ emailId, recipient: 3 })).not.toBe(ADDRESS);
    expect(of([]).addressOf({ emailId, recipient: 3 })).toBeUndefined();
    expect(of([]).recipientOf(ADDRESS)).toBeUndefined();
  });

  it('cannot be changed in any place, and belong to their domain', () => {
    for (let at = 2; at < ADDRESS.indexOf('@'); at++) {
      const other = ADDRESS[at] === 'a' ? 'b' : 'a';
      expect(of([OLD]).recipientOf(ADDRESS.slice(0, at) + other + ADDRESS.slice(at + 1))).toBeUndefined();
    }
    expect(of([OLD], 'other.test').recipientOf(ADDRESS)).toBeUndefined();
  });

  it('are no tokens of reports, nor the other way round', () => {
    const tokens = new ReturnPathTokens(new SecretKeys([OLD]));
    expect(tokens.read(ADDRESS.slice(2, ADDRESS.indexOf('@')))).toBeUndefined();
    const token = tokens.sign({ emailId, recipient: 3 });
    expect(of([OLD]).recipientOf(`u+${token}@bounces.test`)).toBeUndefined();
  });

  it.each([
    '',
    'u+@bounces.test',
    '@bounces.test',
    `u+${'a'.repeat(47)}@bounces.test`,
    `u+${'\0'.repeat(47)}@bounces.test`,
  ])('are not %j', (address) => {
    expect(of([OLD]).recipientOf(address)).toBeUndefined();
  });
});
