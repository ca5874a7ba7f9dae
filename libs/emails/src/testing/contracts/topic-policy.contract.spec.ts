import type { TopicPolicy } from '../../emails/ports/topic-policy.js';
import { brokenOf } from './contracts.spec-tools.js';
import { topicPolicyContract } from './topic-policy.contract.js';

const KNOWN = {
  accountId: 'one',
  topicId: '0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11',
  otherAccountId: 'two',
  allowed: ['in@to.test'],
  refused: ['out@to.test'],
};
const has = (account: string, topic: string) => account === 'one' && topic === KNOWN.topicId;
const right: TopicPolicy = {
  exists: async (account, topic) => has(account, topic),
  decide: async (account, topic, addresses) =>
    addresses.map((one) =>
      has(account, topic) && one !== 'out@to.test' ? { allowed: true } : { allowed: false, reason: 'Out.' },
    ),
};
const broken = async (part: object, known: Parameters<typeof topicPolicyContract>[1] = KNOWN) =>
  Object.keys(await brokenOf(topicPolicyContract(() => ({ ...right, ...part }), known)));

describe('topicPolicyContract', () => {
  it('is kept by a correct policy', async () => {
    expect(await broken({})).toEqual([]);
  });

  it.each([
    ['knows no topic', { exists: async () => false }, 'knows its topic'],
    ['answers with rows', { exists: async (_: string, topic: string) => [topic] }, 'knows its topic'],
    [
      'knows every topic',
      { exists: async (account: string) => account === 'one' },
      'refuses a topic that never existed',
    ],
    [
      'allows a deleted topic',
      { decide: (account: string, _: string, all: string[]) => right.decide(account, KNOWN.topicId, all) },
      'refuses every address for a deleted topic',
    ],
    [
      'ignores the account',
      { exists: async (_: string, topic: string) => has('one', topic) },
      'keeps the topics of accounts apart',
    ],
    [
      'decides for any account',
      { decide: (_: string, topic: string, all: string[]) => right.decide('one', topic, all) },
      'keeps the topics of accounts apart',
    ],
    [
      'omits some decisions',
      { decide: async (...asked: Parameters<TopicPolicy['decide']>) => (await right.decide(...asked)).slice(1) },
      'decides for each address, in the order given',
    ],
  ])('is broken by one that %s', async (_, part, name) => {
    expect(await broken(part)).toContain(name);
  });

  it('lets all accounts share topics if the examples say so', async () => {
    const { otherAccountId, ...shared } = KNOWN;
    expect(await broken({ exists: async (_: string, topic: string) => has('one', topic) }, shared)).toEqual([]);
  });
});
