import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { KnownDomain } from '../keys/known-domain.js';
import { KnownDomainDirectory } from './known-domain-directory.js';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

function directory(
  query: (sql: string, values: unknown[]) => Promise<{ name: string }[]>,
  known?: Partial<KnownDomain>,
) {
  const runner = { query, manager: { query }, connect: async () => {}, release: async () => {} };
  const source = { createQueryRunner: () => runner, manager: { query }, options: {} } as unknown as DataSource;
  return new KnownDomainDirectory(source, { find: async () => known as KnownDomain | undefined });
}

describe('KnownDomainDirectory', () => {
  it('asks for the name of a domain of the account, once a second', async () => {
    const query = jest.fn(async () => [{ name: 'shop.test' }]);
    const domains = directory(query);
    const names = await Promise.all([domains.nameOf('acme', ID), domains.nameOf('acme', ID)]);
    expect(names).toEqual(['shop.test', 'shop.test']);
    expect(query).toHaveBeenCalledTimes(1);
    expect(query).toHaveBeenCalledWith(expect.stringContaining('account_id = $1'), ['acme', ID]);
    await domains.nameOf('other', ID);
    expect(query).toHaveBeenCalledTimes(2);
  });

  it('asks nothing for an id of another form', async () => {
    const query = jest.fn(async () => []);
    expect(await directory(query).nameOf('acme', 'shop')).toBeUndefined();
    expect(query).not.toHaveBeenCalled();
  });

  it('keeps no answer that failed', async () => {
    const query = jest.fn(async (): Promise<{ name: string }[]> => []);
    query.mockRejectedValueOnce(new Error('away'));
    const domains = directory(query);
    await expect(domains.nameOf('acme', ID)).rejects.toThrow('away');
    expect(await domains.nameOf('acme', ID)).toBeUndefined();
  });

  it('has the return path of a domain whose records are ready', async () => {
    const query = async () => [];
    expect(await directory(query, { returnPath: 'send.shop.test' }).returnPathOf('acme', 'shop.test')).toBe(
      'send.shop.test',
    );
    expect(await directory(query, { returnPath: null }).returnPathOf('acme', 'shop.test')).toBeUndefined();
    expect(await directory(query).returnPathOf('acme', 'shop.test')).toBeUndefined();
  });
});
