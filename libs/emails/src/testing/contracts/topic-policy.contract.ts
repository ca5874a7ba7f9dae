import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TopicPolicy } from '../../emails/ports/topic-policy.js';
import type { ContractCase, Make } from './contract-case.js';
import { decisionCases, decisionsOf, type KnownAddresses } from './decision-cases.js';

/** A topic, and what is known to be decided of it. At least one address in all. */
export interface TopicPolicyExamples extends KnownAddresses {
  accountId: string;
  topicId: string;
  /** An account that has not this topic. Left out where all accounts have the same. */
  otherAccountId?: string;
}

/** What `EmailsModule` relies on when it asks a topic policy. */
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
      name: 'knows no topic that never was',
      run: async () => assert.equal(await exists(accountId, randomUUID()), false, 'No such topic must exist.'),
    },
    ...decisionCases(() => asking(accountId, topicId), known, 'reason'),
    {
      name: 'refuses every address for a topic that does not exist any more',
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
