import assert from 'node:assert/strict';
import type { PersonEraser } from '../../emails/ports/person-eraser.js';
import type { ContractCase, Make } from './contract-case.js';

/** Limit of calls, far above the need of any test. */
const MANY = 1_000;
const HOUR = 3_600_000;

/** How a test stores data to erase, and checks it. */
export interface PersonEraserExamples {
  /** Two accounts. */
  accountIds: readonly [string, string];
  /** An address without stored data. */
  address: string;
  /** Stores the address in the account. */
  keep(accountId: string, address: string): Promise<unknown>;
  /** True if the address is stored. */
  isKept(accountId: string, address: string): Promise<boolean>;
}

/**
 * Checks the promises that `EmailsModule` relies on when it erases a person.
 *
 * @example
 * ```ts
 * declare const eraser: PersonEraser;
 * const examples = {
 *   accountIds: ['acme', 'other'] as const,
 *   address: 'jane@example.com',
 *   keep: (account: string, address: string) => dataSource.query('INSERT INTO notes VALUES ($1, $2)', [account, address]),
 *   isKept: async (account: string, address: string) =>
 *     (await dataSource.query('SELECT FROM notes WHERE account = $1 AND address = $2', [account, address])).length > 0,
 * };
 * for (const { name, run } of personEraserContract(() => eraser, examples)) test(name, run);
 * ```
 */
export function personEraserContract(
  make: Make<PersonEraser>,
  { accountIds: [own, other], address, keep, isKept }: PersonEraserExamples,
): ContractCase[] {
  const erase = async (accountId: string, asked = address, before = new Date(Date.now() + HOUR)) => {
    const eraser = await make();
    for (let calls = 0; calls < MANY; calls++) {
      const more = await eraser.erase({ accountId, address: asked, before });
      assert.equal(typeof more, 'boolean', 'It must say whether there is more.');
      if (!more) return;
    }
    assert.fail('It must come to an end.');
  };
  return [
    { name: 'finishes for a person without any data', run: () => erase(own) },
    {
      name: 'erases an address in any letter case, in its account alone, and again',
      run: async () => {
        await keep(own, address);
        await keep(other, address);
        await erase(own, address.toUpperCase());
        assert.equal(await isKept(own, address), false, 'The address must be gone.');
        assert.equal(await isKept(other, address), true, 'The address must stay in other accounts.');
        await erase(own);
      },
    },
    {
      name: 'keeps data that came after the order',
      run: async () => {
        await keep(own, address);
        await erase(own, address, new Date(Date.now() - HOUR));
        assert.equal(await isKept(own, address), true, 'Data that came after the order must stay.');
      },
    },
  ];
}
