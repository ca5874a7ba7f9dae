import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../../emails/ports/recipient-policy.js';
import { MemorySuppressions } from '../memory-suppressions.js';
import { brokenOf } from './contracts.spec-tools.js';
import { suppressionListContract } from './suppression-list.contract.js';

const KNOWN = { accountId: 'one', otherAccountId: 'two', allowed: ['a@to.test'], refused: ['gone@to.test'] };
const ENTRY = { reason: 'manual', diagnosticCode: [] } as const;

const listThat = (verdict: (question: RecipientQuestion, address: string) => unknown, isSuppressionList = true) =>
  ({
    isSuppressionList,
    decide: async (question: RecipientQuestion) =>
      question.addresses.map((address) => verdict(question, address) as RecipientDecision),
  }) satisfies RecipientPolicy;
const isKnown = ({ accountId }: RecipientQuestion, address: string) =>
  accountId === 'one' && address.toLowerCase() === 'gone@to.test';
const entry = (suppressed: unknown) => (question: RecipientQuestion, address: string) =>
  isKnown(question, address) ? { allowed: false, code: 'manual', suppressed } : { allowed: true };

const broken = (list: RecipientPolicy) => brokenOf(suppressionListContract(() => list, KNOWN));

describe('suppressionListContract', () => {
  it('is kept by the list of tests, and by one that gives codes alone', async () => {
    const list = new MemorySuppressions();
    list.add('Gone@to.test', { reason: 'previous_bounce', reply: '550 5.1.1 Unknown' }, 'one');
    expect(await broken(list)).toEqual({});
    expect(await broken(listThat(entry(undefined)))).toEqual({});
  });

  it.each<[string, RecipientPolicy, Record<string, RegExp>]>([
    ['an ordinary policy', listThat(entry(ENTRY), false), { 'is the suppression list': /must be true/ }],
    [
      'one with other reasons',
      listThat(entry({ ...ENTRY, reason: 'bounce' })),
      { 'says why an address is on it': /one of previous_bounce/, 'knows an address in capitals': /one of/ },
    ],
    [
      'one with a text for replies',
      listThat(entry({ ...ENTRY, diagnosticCode: 'smtp; 550' })),
      { 'says why an address is on it': /must be a list of replies/, 'knows an address in capitals': /list/ },
    ],
    [
      'one that compares letters as they are',
      listThat((question, address) =>
        address === 'gone@to.test' ? entry(ENTRY)(question, address) : { allowed: true },
      ),
      { 'knows an address in capitals': /GONE@TO\.TEST must be refused/ },
    ],
    [
      'one for all accounts',
      listThat((question, address) => entry(ENTRY)({ ...question, accountId: 'one' }, address)),
      { 'keeps the lists of accounts apart': /must not count/ },
    ],
  ])('is broken by %s', async (_, list, expected) => {
    const found = await broken(list);
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    for (const [name, complaint] of Object.entries(expected)) expect(found[name]).toMatch(complaint);
  });
});
