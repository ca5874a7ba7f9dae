import { randomUUID } from 'node:crypto';
import type { RecipientPolicy } from '../../emails/ports/recipient-policy.js';
import type { ContractCase, Make } from './contract-case.js';
import { decisionCases, decisionsOf, type KnownAddresses } from './decision-cases.js';

/** Expected answers of the policy. At least one address in all. */
export interface RecipientPolicyExamples extends KnownAddresses {
  /** Default: an unknown account. */
  accountId?: string;
  /** Default: null, an email without a topic. */
  topicId?: string | null;
}

/**
 * Checks the promises that `EmailsModule` relies on when it asks a recipient policy.
 *
 * @example
 * ```ts
 * declare const staging: RecipientPolicy;
 * const known = { allowed: ['hi@shop.example'], refused: ['jane@example.com'] };
 * for (const { name, run } of recipientPolicyContract(() => staging, known)) test(name, run);
 * ```
 */
export function recipientPolicyContract(
  make: Make<RecipientPolicy>,
  { accountId = randomUUID(), topicId = null, ...known }: RecipientPolicyExamples,
): ContractCase[] {
  const asking = async (topicId: string | null) => {
    const policy = await make();
    return (addresses: readonly string[]) => policy.decide({ accountId, emailId: randomUUID(), topicId, addresses });
  };
  return [
    ...decisionCases(() => asking(topicId), known, 'code'),
    {
      name: 'answers whether the email has a topic or not',
      run: async () => {
        for (const topic of [null, randomUUID()]) {
          await decisionsOf(await asking(topic), [...known.allowed, ...known.refused], 'code');
        }
      },
    },
  ];
}
