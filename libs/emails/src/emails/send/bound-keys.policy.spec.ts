import { BoundKeysPolicy, senderPoliciesOf } from './bound-keys.policy.js';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';
const directory = {
  nameOf: async (accountId: string, id: string) => (accountId === 'acme' && id === ID ? 'shop.test' : undefined),
  returnPathOf: async () => undefined,
};
const decide = (from: string, domainId?: string, accountId = 'acme') =>
  new BoundKeysPolicy(directory).decide({ accountId, from, ...(domainId !== undefined && { domainId }) });

describe('BoundKeysPolicy', () => {
  it('lets a key send from its domain, and other keys from any', async () => {
    expect(await decide('a@shop.test', ID)).toEqual({ allowed: true });
    expect(await decide('a@else.test')).toEqual({ allowed: true });
  });

  it.each([
    ['another domain', 'a@else.test', ID, 'acme'],
    ['a child', 'a@news.shop.test', ID, 'acme'],
    ['a parent', 'a@test', ID, 'acme'],
    ['a deleted domain', 'a@shop.test', ID.replace('0', '1'), 'acme'],
    ['a domain of another account', 'a@shop.test', ID, 'other'],
  ])('refuses %s', async (_, from, id, accountId) => {
    expect(await decide(from, id, accountId)).toEqual({
      allowed: false,
      code: 'restricted_api_key',
      status: 403,
      message: `This API key is not authorized to send emails from ${from.split('@')[1]}`,
    });
  });

  it('comes first where something knows the domains, and costs nothing elsewhere', () => {
    const other = { decide: () => ({ allowed: true }) as const };
    expect(senderPoliciesOf({ senderPolicies: [other], domainDirectory: directory })).toEqual([
      expect.any(BoundKeysPolicy),
      other,
    ]);
    expect(senderPoliciesOf({ senderPolicies: [other] })).toEqual([other]);
    expect(senderPoliciesOf({})).toEqual([]);
  });
});
