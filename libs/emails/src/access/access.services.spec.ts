import type { DataSource, Repository } from 'typeorm';
import { AccountsService } from './accounts/accounts.service.js';
import type { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';

const ACCOUNT = 'acme';
const ID = '0192f0c1-2345-7abc-8def-0123456789ab';
const TOKEN = 're_12345678';

/** A database that fails every query. */
const nowhere = {} as DataSource;
const keys = new ApiKeysService(new ApiKeysRepository({} as Repository<ApiKeyEntity>));
const accounts = new AccountsService(nowhere, keys);

const refusal = (message: string) => ({ statusCode: 422, message: expect.stringContaining(message) });

/** A query builder that says nothing of its statement. */
function builder(execute: () => Promise<unknown>): object {
  const all: object = new Proxy({}, { get: (_, name) => (name === 'execute' ? execute : () => all) });
  return all;
}

describe('ApiKeysService', () => {
  it.each<[object, string]>([
    [{}, 'Missing `name`'],
    [{ name: 'x'.repeat(51) }, '`name` must be one line'],
    [{ name: 'x', permission: 'root' }, '`permission` must be one of'],
    [{ name: 'x', scope: 'all' }, '`scope` is not a field'],
    [{ name: 'x', domain_id: ID }, '`domain_id` must be left out. This server has no domains.'],
  ])('refuses %j by the rules of the route', async (values, message) => {
    await expect(keys.create(ACCOUNT, values as never)).rejects.toMatchObject(refusal(message));
  });

  it('refuses what cannot be a token, and a name that is no line', async () => {
    for (const token of ['short', 'with space', 'a'.repeat(257), undefined as unknown as string]) {
      await expect(keys.register(ACCOUNT, 'x', token)).rejects.toMatchObject(refusal('`token` must have'));
    }
    await expect(keys.register(ACCOUNT, 'a\nb', TOKEN)).rejects.toMatchObject(refusal('`name` must be'));
  });

  it('refuses a page by the rule of the route', async () => {
    await expect(keys.list(ACCOUNT, { limit: 1e9 })).rejects.toMatchObject(refusal('`limit` must be'));
  });

  it.each<[object, string]>([
    [{ name: 'x'.repeat(51) }, '`name` must be one line'],
    [{ permission: 'full_access' }, '`permission` is not a field'],
    [{ id: ID.replace('0', '1') }, '`id` cannot be changed'],
    [{ api_key_id: 'x' }, '`api_key_id` cannot be changed'],
  ])('refuses the change %j', async (values, message) => {
    await expect(keys.rename(ACCOUNT, ID, values as never)).rejects.toMatchObject(refusal(message));
  });

  it('finds no key by an invalid id', async () => {
    await expect(keys.rename(ACCOUNT, 'nope', { name: 'x' })).resolves.toBeUndefined();
    await expect(keys.revoke(ACCOUNT, 'nope')).resolves.toBe(false);
  });

  it('clears the cache of the process after a change', async () => {
    const order: string[] = [];
    const written = async (what: string, result: unknown) => {
      order.push(what);
      return result;
    };
    const deleting = builder(() => written('deleted', { raw: [{ id: ID }] }));
    const manager = { createQueryBuilder: () => deleting };
    const repository = {
      query: () => written('registered', [{}]),
      createQueryBuilder: () => builder(() => written('revoked', { affected: 1 })),
    } as unknown as Repository<ApiKeyEntity>;
    const dataSource = {
      transaction: async (work: (given: unknown) => Promise<unknown>) => written('committed', await work(manager)),
    } as unknown as DataSource;
    const lookup = { forgetAll: () => void order.push('forgotten') };
    const service = new ApiKeysService(new ApiKeysRepository(repository), lookup);
    await service.register(ACCOUNT, 'x', TOKEN);
    await service.revoke(ACCOUNT, ID);
    expect(order.splice(0)).toEqual(['registered', 'forgotten', 'revoked', 'forgotten']);
    await new AccountsService(dataSource, service).remove(ID);
    expect(order).toEqual(['deleted', 'deleted', 'committed', 'forgotten']);
  });
});

describe('AccountsService', () => {
  it.each(['', 'a\nb', 'x'.repeat(101), undefined as unknown as string])('refuses the name %.9j', async (name) => {
    await expect(accounts.create(name)).rejects.toMatchObject({ statusCode: 422 });
  });
});

it.each<[string, (account: string) => Promise<unknown>]>([
  ['keys.create', (account) => keys.create(account, { name: 'x' })],
  ['keys.register', (account) => keys.register(account, 'x', TOKEN)],
  ['keys.list', (account) => keys.list(account)],
  ['keys.revoke', (account) => keys.revoke(account, ID)],
  ['keys.rename', (account) => keys.rename(account, ID, {})],
  ['accounts.remove', (account) => accounts.remove(account)],
])('%s refuses an invalid account id', async (_, call) => {
  for (const account of ['', 'a\0', 'a'.repeat(256)]) {
    await expect(call(account)).rejects.toThrow(/^The account id must/);
  }
});
