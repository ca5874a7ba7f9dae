import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RecipientDecision, RecipientPolicy } from '../../emails/ports/recipient-policy.js';
import { SUPPRESSION_REASONS } from '../../emails/states/suppression-reasons.js';
import type { ContractCase, Make } from './contract-case.js';
import type { KnownAddresses } from './decision-cases.js';
import { recipientPolicyContract } from './recipient-policy.contract.js';

/** Expected answers of the list. At least one refused address. */
export interface SuppressionListExamples extends KnownAddresses {
  accountId: string;
  /** An account whose list has none of the refused addresses. Omit it if all accounts have the same list. */
  otherAccountId?: string;
}

/**
 * Checks the promises that `EmailsModule` relies on when it asks a suppression list: those of a recipient policy, and those
 * of the list.
 *
 * @example
 * ```ts
 * declare const list: RecipientPolicy;
 * const known = { accountId: 'acme', allowed: ['hi@shop.example'], refused: ['gone@example.com'] };
 * for (const { name, run } of suppressionListContract(() => list, known)) test(name, run);
 * ```
 */
export function suppressionListContract(
  make: Make<RecipientPolicy>,
  { accountId, otherAccountId, ...known }: SuppressionListExamples,
): ContractCase[] {
  const decide = async (account: string, addresses: readonly string[]) =>
    (await make()).decide({ accountId: account, emailId: randomUUID(), topicId: null, addresses });
  const refusesAll = async (addresses: readonly string[]) => {
    const decisions = await decide(accountId, addresses);
    for (const [at, address] of addresses.entries()) checkEntry(decisions[at], address);
  };
  const cases: ContractCase[] = [
    ...recipientPolicyContract(make, { accountId, ...known }),
    {
      name: 'is the suppression list',
      run: async () => assert.equal((await make()).isSuppressionList, true, '`isSuppressionList` must be true.'),
    },
    { name: 'says why an address is on it', run: () => refusesAll(known.refused) },
    {
      name: 'knows an address in capitals',
      run: () => refusesAll(known.refused.map((address) => address.toUpperCase())),
    },
  ];
  if (otherAccountId === undefined) return cases;
  return [
    ...cases,
    {
      name: 'keeps the lists of accounts apart',
      run: async () => {
        const decisions = await decide(otherAccountId, known.refused);
        assert.ok(
          decisions.every(({ allowed }) => allowed),
          "Another account's list must not count.",
        );
      },
    },
  ];
}

function checkEntry(decision: RecipientDecision | undefined, address: string): void {
  if (decision?.allowed !== false) assert.fail(`${address} must be refused.`);
  if (decision.suppressed === undefined) return;
  const { reason, diagnosticCode } = decision.suppressed;
  const reasons = SUPPRESSION_REASONS.join(', ');
  assert.ok(SUPPRESSION_REASONS.includes(reason), `The reason for ${address} must be one of ${reasons}.`);
  const isList = Array.isArray(diagnosticCode) && diagnosticCode.every((one) => typeof one === 'string');
  assert.ok(isList, `\`diagnosticCode\` of ${address} must be a list of replies, such as \`smtp; 550 5.1.1 Unknown\`.`);
}
