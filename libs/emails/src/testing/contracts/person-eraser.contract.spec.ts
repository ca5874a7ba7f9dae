import type { PersonEraser, PersonToErase } from '../../emails/ports/person-eraser.js';
import { brokenOf } from './contracts.spec-tools.js';
import { personEraserContract } from './person-eraser.contract.js';

interface Kept {
  accountId: string;
  address: string;
  at: number;
}

const AGAIN = 'erases an address in any letter case, in its account alone, and again';

async function broken(erases: (row: Kept, person: PersonToErase) => boolean, answer: unknown = false) {
  let rows: Kept[] = [];
  const eraser: PersonEraser = {
    erase: async (person) => {
      rows = rows.filter((row) => !erases(row, person));
      return answer as boolean;
    },
  };
  const is = (accountId: string, address: string) => (row: Kept) =>
    row.accountId === accountId && row.address === address;
  const cases = personEraserContract(() => eraser, {
    accountIds: ['one', 'two'],
    address: 'jane@person.test',
    keep: async (accountId, address) => rows.push({ accountId, address, at: Date.now() }),
    isKept: async (accountId, address) => rows.some(is(accountId, address)),
  });
  return Object.keys(await brokenOf(cases));
}

const ofAccount = (row: Kept, person: PersonToErase) => row.accountId === person.accountId;
const ofPerson = (row: Kept, { address }: PersonToErase) => row.address === address.toLowerCase();
const earlier = (row: Kept, { before }: PersonToErase) => row.at < before.getTime();

describe('personEraserContract', () => {
  it('is kept by a correct one', async () => {
    expect(await broken((...all) => ofAccount(...all) && ofPerson(...all) && earlier(...all))).toEqual([]);
  });

  it.each([
    ['erases nothing', () => false, AGAIN],
    ['matches one spelling only', (row: Kept, { address }: PersonToErase) => row.address === address, AGAIN],
    ['ignores the account', ofPerson, AGAIN],
    [
      'ignores the time',
      (...all: [Kept, PersonToErase]) => ofAccount(...all) && ofPerson(...all),
      'keeps data that came after the order',
    ],
  ])('is broken by one that %s', async (_, erases, name) => {
    expect(await broken(erases)).toContain(name);
  });

  it.each([null, 1, true])('is broken by one that always answers %s', async (answer) => {
    expect(await broken(() => false, answer)).toContain('finishes for a person without any data');
  });
});
