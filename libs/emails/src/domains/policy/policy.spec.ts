import type { StagedMessage } from '../../index.js';
import type { KnownDomain } from '../keys/known-domain.js';
import { DomainTlsStage } from './domain-tls.stage.js';
import { VerifiedSenders } from './verified-senders.policy.js';

const SHOP: KnownDomain = {
  id: '0192f0c1-2345-7abc-8def-0123456789ab',
  accountId: 'acme',
  name: 'shop.test',
  status: 'verified',
  sending: true,
  tls: 'opportunistic',
  returnPath: null,
  keys: [],
};

/** Knows one domain of the account `acme`. */
const domains = (some: Partial<KnownDomain> = {}) => ({
  find: async (accountId: string, name: string) =>
    accountId === 'acme' && name === 'shop.test' ? { ...SHOP, ...some } : undefined,
});
const away = { find: async () => Promise.reject(new Error('away')) };

describe('VerifiedSenders', () => {
  const decide = (from: string, some: Partial<KnownDomain> = {}, accountId = 'acme') =>
    new VerifiedSenders(domains(some)).decide({ accountId, from });

  it('allows a verified domain of the account', async () => {
    expect(await decide('a@shop.test')).toEqual({ allowed: true });
  });

  it.each<[string, string, Partial<KnownDomain>, string]>([
    ['an unknown domain', 'a@else.test', {}, 'acme'],
    ['a parent', 'a@test', {}, 'acme'],
    ['a child', 'a@news.shop.test', {}, 'acme'],
    ['a domain of another account', 'a@shop.test', {}, 'other'],
    ['a domain that is not verified yet', 'a@shop.test', { status: 'pending' }, 'acme'],
    ['a domain that failed', 'a@shop.test', { status: 'failed' }, 'acme'],
    ['a domain whose sending is disabled', 'a@shop.test', { sending: false }, 'acme'],
  ])('refuses %s', async (_, from, some, accountId) => {
    const name = from.split('@')[1];
    expect(await decide(from, some, accountId)).toEqual({
      allowed: false,
      code: 'domain_not_verified',
      status: 403,
      name: 'validation_error',
      message: `The \`${name}\` domain is not verified. Please, add and verify your domain.`,
    });
  });

  it('allows an exempt account any domain', async () => {
    const exempt = new VerifiedSenders(domains(), ['alarms']);
    expect(await exempt.decide({ accountId: 'alarms', from: 'a@else.test' })).toEqual({ allowed: true });
    expect(await exempt.decide({ accountId: 'other', from: 'a@else.test' })).toMatchObject({ allowed: false });
  });

  it('rejects while the domains are not known', async () => {
    await expect(new VerifiedSenders(away).decide({ accountId: 'acme', from: 'a@shop.test' })).rejects.toThrow('away');
  });
});

describe('DomainTlsStage', () => {
  const message = { accountId: 'acme', fromDomain: 'shop.test' } as StagedMessage;

  it('enforces TLS for domains that ask for it', async () => {
    expect(await new DomainTlsStage(domains({ tls: 'enforced' })).apply(message)).toEqual({ tls: 'enforced' });
    expect(await new DomainTlsStage(domains()).apply(message)).toBeUndefined();
  });

  it('rejects while the domains are not known', async () => {
    await expect(new DomainTlsStage(away).apply(message)).rejects.toThrow('away');
  });
});
