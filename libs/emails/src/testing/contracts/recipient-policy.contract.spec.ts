import type { RecipientDecision, RecipientPolicy } from '../../emails/ports/recipient-policy.js';
import { brokenOf } from './contracts.spec-tools.js';
import { recipientPolicyContract } from './recipient-policy.contract.js';

const KNOWN = { allowed: ['a@to.test', 'b@to.test'], refused: ['out@to.test'] };
const allowed: RecipientDecision = { allowed: true };
const refused: RecipientDecision = { allowed: false, code: 'on_the_list', reason: 'On the list.' };

const verdict = (address: string) => (address === 'out@to.test' ? refused : allowed);
const right: RecipientPolicy['decide'] = async ({ addresses }) => addresses.map(verdict);
const broken = (decide: unknown, known = KNOWN) =>
  brokenOf(recipientPolicyContract(() => ({ decide }) as RecipientPolicy, known));

/** The policy decides one address after the other and remembers the last question. */
function forgetful(): RecipientPolicy['decide'] {
  let asked: readonly string[] = [];
  return async ({ addresses }) => {
    asked = addresses;
    await Promise.resolve();
    return asked.map(verdict);
  };
}

describe('recipientPolicyContract', () => {
  it('is kept by a correct policy', async () => {
    expect(await broken(right)).toEqual({});
    expect(
      await broken(async ({ addresses }: { addresses: string[] }) => addresses.map(() => allowed), {
        allowed: ['a@to.test'],
        refused: [],
      }),
    ).toEqual({});
  });

  it.each<[string, unknown, RegExp]>([
    ['answers nothing', async () => undefined, /must be an array, not undefined/],
    ['answers with a map', async () => new Map(), /must be an array, not object/],
    ['answers for the refused only', async () => [refused], /the answer has 1 decisions/],
    ['always answers for two', async () => [allowed, refused], /the answer has 2 decisions/],
    ['allows all', async ({ addresses }) => addresses.map(() => allowed), /out@to\.test must be refused/],
    ['refuses all', async ({ addresses }) => addresses.map(() => refused), /a@to\.test must be allowed/],
    ['answers in another order', async (question) => (await right(question)).toReversed(), /must be (allowed|refused)/],
    ['sorts the given addresses', async ({ addresses }) => (addresses as string[]).sort().map(verdict), /read only/],
    [
      'says yes and no',
      async ({ addresses }) => addresses.map((one) => one !== 'out@to.test'),
      /must be \{allowed: true\}/,
    ],
    ['leaves holes', async ({ addresses }) => Array(addresses.length), /must be \{allowed: true\}/],
    ['gives no code', async ({ addresses }) => addresses.map(() => ({ allowed: false })), /must be \{allowed: true\}/],
    [
      'uses a sentence as a code',
      async ({ addresses }) => addresses.map(() => ({ ...refused, code: 'On the list.' })),
      /1 to 50 characters of a-z/,
    ],
    ['gives an empty reason', async ({ addresses }) => addresses.map(() => ({ ...refused, reason: '' })), /1 to 500/],
    [
      'gives a NUL for a reason',
      async ({ addresses }) => addresses.map(() => ({ ...refused, reason: '\0' })),
      /1 to 500/,
    ],
    [
      'returns a long reason',
      async ({ addresses }) => addresses.map(() => ({ ...refused, reason: 'x'.repeat(501) })),
      /1 to 500/,
    ],
    ['fails', () => Promise.reject(new Error('no database')), /no database/],
  ] as [string, RecipientPolicy['decide'], RegExp][])('is broken by one that %s', async (_, decide, complaint) => {
    expect((await broken(decide))['decides for each address, in the order given']).toMatch(complaint);
  });

  it.each<[string, RecipientPolicy['decide'], string]>([
    [
      'accepts a few addresses only',
      async (question) => (await right(question)).slice(0, 100),
      'decides for all 150 recipients of an email at once',
    ],
    [
      'knows plain addresses only',
      async ({ addresses }) => addresses.map((one) => (/^[\w@.-]+$/.test(one) ? verdict(one) : (undefined as never))),
      'decides for every valid address',
    ],
    ['mixes up concurrent questions', forgetful(), 'answers many questions at the same time, independently'],
    [
      'requires a topic',
      async ({ topicId, addresses }) => (topicId === null ? addresses.map(verdict) : []),
      'answers whether the email has a topic or not',
    ],
  ])('is broken by one that %s', async (_, decide, name) => {
    expect(Object.keys(await broken(decide))).toEqual([name]);
  });

  it('is broken by one that checks the first address only', async () => {
    const asFirst: RecipientPolicy['decide'] = async ({ addresses: [first = ''] }) => [verdict(first)];
    expect(await broken(asFirst)).not.toHaveProperty('decides the same for an address alone');
    const byCompany: RecipientPolicy['decide'] = async ({ addresses }) =>
      addresses.map((one) => (addresses.length > 1 ? verdict(one) : allowed));
    expect(Object.keys(await broken(byCompany))).toEqual(['decides the same for an address alone']);
  });
});
