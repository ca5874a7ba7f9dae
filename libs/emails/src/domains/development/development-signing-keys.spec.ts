import { generateKeyPairSync } from 'node:crypto';
import type { SigningKey } from '../signing/signing-keys.js';
import { DevelopmentSigningKeys } from './development-signing-keys.js';

const keyOf = (selector: string): SigningKey => ({
  selector,
  algorithm: 'ed25519',
  key: generateKeyPairSync('ed25519').privateKey,
});

describe('DevelopmentSigningKeys', () => {
  const development = keyOf('development');
  const owned = keyOf('s2611e');
  let asked: string[];

  const keys = new DevelopmentSigningKeys(
    {
      of: async (_account, domain) => {
        if (domain === 'lost.test') throw new Error('The key cannot be opened.');
        return domain === 'owned.test' ? [owned] : [];
      },
    },
    {
      hasAny: async (account) => {
        asked.push(account);
        return account === 'owner';
      },
    },
    development,
  );

  beforeEach(() => {
    asked = [];
  });

  it.each(['example.com', 'shop.test', 'a.b.test'])(
    'signs mail from %s of an account without domains',
    async (domain) => {
      expect(await keys.of('new', domain)).toEqual([development]);
      expect(asked).toEqual(['new']);
    },
  );

  it.each(['example.org', 'www.example.com', 'test', 'mytest', 'test.example.net', 'notexample.com', ''])(
    'does not sign mail from %s, without a look at the account',
    async (domain) => {
      expect(await keys.of('new', domain)).toEqual([]);
      expect(asked).toEqual([]);
    },
  );

  it('does not sign for an account with domains, whose own state should show', async () => {
    expect(await keys.of('owner', 'example.com')).toEqual([]);
  });

  it('leaves the keys of a domain, and its failure, as they are', async () => {
    expect(await keys.of('owner', 'owned.test')).toEqual([owned]);
    await expect(keys.of('new', 'lost.test')).rejects.toThrow('The key cannot be opened.');
    expect(asked).toEqual([]);
  });

  it('gives the same list each time, so that the parsed key is found again', async () => {
    expect(await keys.of('new', 'example.com')).toBe(await keys.of('other', 'a.test'));
  });
});
