import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { KeyPairs, publicValueOf } from './key-pairs.js';
import type { KnownDomain } from './known-domain.js';
import { NewKeys, nextGeneration } from './new-keys.js';
import { SealedKeys } from './sealed-keys.js';
import { StoredSigningKeys } from './stored-signing-keys.js';
import { UnreadableKeyError } from './unreadable-key.error.js';

const ID = '0198f0c1-0000-7000-8000-000000000000';
const sealedBy = (...secrets: string[]) => new SealedKeys(new SecretKeys(secrets.map((secret) => secret.repeat(32))));

async function made(sealed: SealedKeys) {
  const keys = new NewKeys(new KeyPairs(), sealed);
  const generation = nextGeneration({ generation: 0, selectorMonth: null, selectorCount: 0 }, new Date('2026-11-27'));
  return keys.place(ID, generation, await keys.make('acme', ['rsa', 'ed25519']));
}

const domainWith = (keys: KnownDomain['keys'], id = ID): KnownDomain => ({
  id,
  accountId: 'acme',
  name: 'example.com',
  status: 'verified',
  sending: true,
  tls: 'opportunistic',
  returnPath: null,
  keys,
});
const keysOf = (domain: KnownDomain | undefined, sealed: SealedKeys) =>
  new StoredSigningKeys({ find: async () => domain }, sealed);

describe('StoredSigningKeys', () => {
  it('opens the keys of a domain once, also with a newer secret in front', async () => {
    const keys = await made(sealedBy('a'));
    expect(keys.map(({ selector }) => selector)).toEqual(['s2611r', 's2611e']);
    expect(JSON.stringify(keys)).not.toContain('PRIVATE');
    const signing = keysOf(domainWith(keys), sealedBy('b', 'a'));
    const [first, again] = [await signing.of('acme', 'example.com'), await signing.of('acme', 'example.com')];
    expect(first.map(({ algorithm }) => algorithm)).toEqual(['rsa', 'ed25519']);
    expect(first.map(({ key }) => publicValueOf(key))).toEqual(keys.map(({ publicKey }) => publicKey));
    expect(again.every(({ key }, at) => key === first[at]?.key)).toBe(true);
  });

  it('has none of a domain that is not there, or has no verified key', async () => {
    expect(await keysOf(undefined, sealedBy('a')).of('acme', 'example.com')).toEqual([]);
    expect(await keysOf(domainWith([]), sealedBy('a')).of('acme', 'example.com')).toEqual([]);
  });

  it.each([
    ['another secret', sealedBy('b'), ID],
    ['no secret', sealedBy(), ID],
    ['the place of another domain', sealedBy('a'), ID.replace('c1', 'c2')],
  ])('rejects with %s, so that mail waits', async (_, sealed, id) => {
    const keys = await made(sealedBy('a'));
    await expect(keysOf(domainWith(keys, id), sealed).of('acme', 'example.com')).rejects.toThrow(UnreadableKeyError);
  });

  it('makes no keys without a secret', async () => {
    await expect(made(sealedBy())).rejects.toThrow('SECRET_KEY');
  });
});

describe('nextGeneration', () => {
  it('numbers the generations of a month', () => {
    const none = { generation: 0, selectorMonth: null, selectorCount: 0 };
    const first = nextGeneration(none, new Date('2026-11-30T23:59:59Z'));
    expect(first).toEqual({ generation: 1, selectorMonth: '2611', selectorCount: 1 });
    const second = nextGeneration(first, new Date('2026-11-30T23:59:59Z'));
    expect(second).toEqual({ generation: 2, selectorMonth: '2611', selectorCount: 2 });
    expect(nextGeneration(second, new Date('2026-12-01T00:00:00Z'))).toEqual({
      generation: 3,
      selectorMonth: '2612',
      selectorCount: 1,
    });
  });
});

describe('KeyPairs', () => {
  it('makes a limited number of pairs of an account at the same time', async () => {
    const pairs = new KeyPairs();
    const all = Array.from({ length: 25 }, () => pairs.make('acme', 'ed25519'));
    const other = pairs.make('other', 'ed25519');
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await other;
    await pairs.make('acme', 'ed25519');
  });
});
