import assert from 'node:assert/strict';
import type { PersonEraser } from '../../emails/ports/person-eraser.js';
import type { ContractCase, Make } from './contract-case.js';

/** Far more calls than any test needs. */
const MANY = 1_000;
const HOUR = 3_600_000;

/** How a test gives it something to erase, and looks. */
export interface PersonEraserExamples {
  /** Two accounts. */
  accountIds: readonly [string, string];
  /** An address of which nothing is kept. */
  address: string;
  /** Lets it keep the address in the account. */
  keep(accountId: string, address: string): Promise<unknown>;
  /** Whether it is kept. */
  isKept(accountId: string, address: string): Promise<boolean>;
}

/** What `EmailsModule` relies on when it erases a person. */
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
    { name: 'erases nobody, of whom it keeps nothing', run: () => erase(own) },
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
      name: 'leaves what came later',
      run: async () => {
        await keep(own, address);
        await erase(own, address, new Date(Date.now() - HOUR));
        assert.equal(await isKept(own, address), true, 'What came after the order must stay.');
      },
    },
  ];
}
