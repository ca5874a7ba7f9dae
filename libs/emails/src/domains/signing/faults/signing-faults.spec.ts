import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CannotSign } from '../dkim/dkim-signer.js';
import { SigningFaults } from './signing-faults.js';
import type { SigningFault } from './signing-faults.repository.js';

const SINCE = new Date(0);
const fault = (domain: string): SigningFault => ({ accountId: 'acme', domain, since: SINCE });
const failure = () => new CannotSign(Object.assign(new Error('canary'), { name: 'UnreadableKeyError' }));

/** Faults with these rows, of which `broken` cannot sign. */
function faultsOf(rows: readonly string[] = [], broken: readonly string[] = rows) {
  const repository = {
    note: jest.fn(async (_account: string, _domain: string) => {}),
    end: jest.fn(async (_account: string, _domain: string) => {}),
    find: jest.fn(async () => rows.map(fault)),
  };
  const check = { canSign: jest.fn(async (_account: string, domain: string) => !broken.includes(domain)) };
  return { faults: new SigningFaults(repository, check), repository, check };
}

let error: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

describe('SigningFaults', () => {
  it('notes a domain once a minute, without the words of its error', () => {
    const { faults, repository } = faultsOf();
    for (let time = 0; time < 3; time++) faults.failed('acme', 'shop.test', failure());
    faults.failed('acme', 'else.test', failure());
    expect(repository.note.mock.calls).toEqual([
      ['acme', 'shop.test'],
      ['acme', 'else.test'],
    ]);
    expect(error).toHaveBeenCalledTimes(2);
    expect(error).toHaveBeenCalledWith(expect.stringContaining('shop.test cannot sign: UnreadableKeyError'));
    expect(JSON.stringify(error.mock.calls)).not.toContain('canary');
  });

  it('notes it again when that could not be written', async () => {
    const { faults, repository } = faultsOf();
    repository.note.mockRejectedValueOnce(new Error('away'));
    faults.failed('acme', 'shop.test', failure());
    await new Promise(setImmediate);
    faults.failed('acme', 'shop.test', failure());
    expect(repository.note).toHaveBeenCalledTimes(2);
  });

  it('ends a fault with the next signature, and writes nothing for others', () => {
    const { faults, repository } = faultsOf();
    faults.signed('acme', 'shop.test');
    faults.failed('acme', 'shop.test', failure());
    faults.signed('acme', 'else.test');
    faults.signed('other', 'shop.test');
    expect(repository.end).not.toHaveBeenCalled();
    faults.signed('acme', 'shop.test');
    faults.signed('acme', 'shop.test');
    expect(repository.end.mock.calls).toEqual([['acme', 'shop.test']]);
  });

  it('has alarm, metric and health of what still cannot sign, and ends the rest', async () => {
    const { faults, repository, check } = faultsOf(['shop.test', 'well.test'], ['shop.test']);
    expect(await faults.active()).toEqual([
      {
        code: 'signing_failed',
        account: 'acme',
        subject: 'shop.test',
        since: SINCE,
        text: expect.stringContaining('shop.test'),
      },
    ]);
    expect(await faults.gauges()).toMatchObject([{ name: 'domains_not_signing', value: 1 }]);
    await expect(faults.check()).rejects.toThrow('Keys of 1 domain cannot sign.');
    expect(repository.end.mock.calls).toEqual([['acme', 'well.test']]);
    // One look for all of them.
    expect(repository.find).toHaveBeenCalledTimes(1);
    expect(check.canSign).toHaveBeenCalledTimes(2);
  });

  it('looks again after a look that failed', async () => {
    const { faults, repository } = faultsOf();
    repository.find.mockRejectedValueOnce(new Error('away'));
    await expect(faults.active()).rejects.toThrow('away');
    expect(await faults.active()).toEqual([]);
    await faults.check();
  });
});
