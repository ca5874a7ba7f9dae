import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TopicPolicy } from '../../emails/ports/topic-policy.js';
import type { ContractCase, Make } from './contract-case.js';
import { decisionCases, decisionsOf, type KnownAddresses } from './decision-cases.js';

/** A topic with known decisions. At least one address in all. */
export interface TopicPolicyExamples extends KnownAddresses {
  accountId: string;
  topicId: string;
  /** An account without this topic. Omit it if all accounts have the same topics. */
  otherAccountId?: string;
}

/**
 * Checks the promises that `EmailsModule` relies on when it asks a topic policy.
 *
 * @example
 * ```ts
 * declare const policy: TopicPolicy;
 * const known = { accountId: 'acme', topicId: 'news', allowed: ['jane@example.com'], refused: ['joe@example.com'] };
 * for (const { name, run } of topicPolicyContract(() => policy, known)) test(name, run);
 * ```
 */
export function topicPolicyContract(
  make: Make<TopicPolicy>,
  { accountId, topicId, otherAccountId, ...known }: TopicPolicyExamples,
): ContractCase[] {
  const asking = async (account: string, topic: string) => {
    const policy = await make();
    return (addresses: readonly string[]) => policy.decide(account, topic, addresses);
  };
  const exists = async (account: string, topic: string) => (await make()).exists(account, topic);
  const refusesAll = async (account: string, topic: string, which: string) => {
    const decisions = await decisionsOf(await asking(account, topic), [...known.allowed, ...known.refused], 'reason');
    for (const { allowed } of decisions) assert.equal(allowed, false, `${which} must refuse every address.`);
  };

  const cases: ContractCase[] = [
    {
      name: 'knows its topic',
      run: async () => assert.equal(await exists(accountId, topicId), true, 'The topic must exist.'),
    },
    {
      name: 'refuses a topic that never existed',
      run: async () => assert.equal(await exists(accountId, randomUUID()), false, 'No such topic must exist.'),
    },
    ...decisionCases(() => asking(accountId, topicId), known, 'reason'),
    {
      name: 'refuses every address for a deleted topic',
      run: () => refusesAll(accountId, randomUUID(), 'A topic that does not exist'),
    },
  ];
  if (otherAccountId === undefined) return cases;
  return [
    ...cases,
    {
      name: 'keeps the topics of accounts apart',
      run: async () => {
        assert.equal(await exists(otherAccountId, topicId), false, 'The topic must exist in its own account only.');
        await refusesAll(otherAccountId, topicId, "Another account's topic");
      },
    },
  ];
}
