import { jest } from '@jest/globals';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import type { TopicDecision } from '../ports/topic-policy.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { AddressedMessage } from './addressed-message.js';
import { PolicyAnswers } from './policy-answers.js';
import { RecipientPolicies } from './recipient-policies.js';

const allowed: TopicDecision = { allowed: true };
const refused: TopicDecision = { allowed: false, reason: 'opted out' };
/** The refusal that the topic policy's `opted_out` leads to. */
const OPTED_OUT = { type: 'failed', reason: 'topic_opted_out', reasonCode: 'topic_opted_out' };

const email = (topicId: string | null = 'topic') =>
  ({
    id: 'email',
    accountId: 'account',
    topicId,
    recipients: [
      { address: 'a@to.test', status: 'pending' },
      { address: 'sent@to.test', status: 'delivered' },
      { address: 'b@to.test', status: 'delivery_delayed' },
      { address: 'out@to.test', status: 'suppressed' },
    ],
  }) as unknown as PendingEmail;

const addressedBy = (of: PendingEmail, build: unknown, policies: RecipientPolicies, now?: () => number) =>
  new AddressedMessage(of, { build } as never, new PolicyAnswers(of, policies, now));

/** An email whose policy gives these answers, each after `takes` milliseconds. */
function addressed(...answers: [decisions: TopicDecision[], takes?: number][]) {
  const clock = { now: 0 };
  const decide = jest.fn(async (_account: string, _topic: string, _addresses: readonly string[]) => {
    const [decisions, takes = 0] = answers.shift() ?? [[allowed, allowed]];
    clock.now += takes;
    return decisions;
  });
  const build = jest.fn(async (_: unknown, recipients: readonly string[], hidden: ReadonlySet<string>) => ({
    recipients,
    hidden,
  }));
  const topicPolicy = { exists: async () => true, decide };
  const make = (of = email(), others: readonly RecipientPolicy[] = []) =>
    addressedBy(of, build, new RecipientPolicies(topicPolicy, others), () => clock.now);
  return { make, clock, decide, build };
}

describe('AddressedMessage', () => {
  it('addresses pending recipients that are allowed, and shows no others', async () => {
    const { make, decide } = addressed([[refused, allowed]]);
    const message = make();
    expect(await message.make()).toEqual({
      recipients: ['b@to.test'],
      hidden: new Set(['out@to.test', 'a@to.test']),
    });
    expect(decide).toHaveBeenCalledWith('account', 'topic', ['a@to.test', 'b@to.test']);
    expect(message.refused).toEqual(new Map([['a@to.test', OPTED_OUT]]));
  });

  it('asks no policy where there is no topic', async () => {
    const { make, clock, decide, build } = addressed();
    const message = make(email(null));
    await message.make();
    clock.now = 3_600_000;
    expect(message.holds).toBe(true);
    await message.make();
    expect(decide).not.toHaveBeenCalled();
    expect(build).toHaveBeenCalledTimes(1);
  });

  it('holds for a second after the question, and is built again only when the answer changes', async () => {
    const { make, clock, decide, build } = addressed([[allowed, allowed]], [[allowed, allowed]], [[allowed, refused]]);
    const message = make();
    const first = await message.make();
    clock.now = 1_000;
    expect(message.holds).toBe(true);
    expect(await message.make()).toBe(first);
    expect(decide).toHaveBeenCalledTimes(1);
    clock.now = 1_001;
    expect(message.holds).toBe(false);
    expect(await message.make()).toBe(first);
    clock.now = 3_000;
    expect(await message.make()).toMatchObject({ recipients: ['a@to.test'] });
    expect(decide).toHaveBeenCalledTimes(3);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it('has no message when no recipient is allowed', async () => {
    const { make, build } = addressed([[refused, refused]]);
    const message = make();
    expect(await message.make()).toBeUndefined();
    expect([...message.refused.keys()]).toEqual(['a@to.test', 'b@to.test']);
    expect(build).not.toHaveBeenCalled();
  });

  it('does not hold when the answer took longer than a second, and fails after three such answers', async () => {
    const slow = Array.from({ length: 4 }, (): [TopicDecision[], number] => [[allowed, allowed], 1_001]);
    const { make, decide } = addressed(...slow);
    const message = make();
    for (let n = 0; n < 3; n++) {
      await message.make();
      expect(message.holds).toBe(false);
    }
    await expect(message.make()).rejects.toMatchObject({ name: 'PolicyTooSlow' });
    expect(decide).toHaveBeenCalledTimes(3);
  });

  it('refuses recipients that the policy gives no answer for', async () => {
    const { make } = addressed([[allowed]]);
    const message = make();
    expect(await message.make()).toMatchObject({ recipients: ['a@to.test'] });
    expect(message.refused.get('b@to.test')).toEqual(OPTED_OUT);
  });
});

describe('AddressedMessage with recipient policies', () => {
  /** A policy that refuses these addresses with this code, after `takes` milliseconds. */
  const policyOf = (clock: { now: number }, out: readonly string[], code: string, takes = 0) => ({
    decide: jest.fn<RecipientPolicy['decide']>(async ({ addresses }) => {
      clock.now += takes;
      return addresses.map((address) => (out.includes(address) ? { allowed: false, code } : allowed));
    }),
  });
  const askedOf = ({ decide }: ReturnType<typeof policyOf>) => decide.mock.calls.map(([{ addresses }]) => addresses);

  it('asks the sender policies first about an email that was accepted more than an hour ago', async () => {
    const { clock, build } = addressed();
    const decide = jest.fn(() => ({ allowed: false as const, code: 'not_verified', message: 'Not verified.' }));
    const list = {
      isSuppressionList: true,
      decide: jest.fn<RecipientPolicy['decide']>(async () => [allowed, allowed]),
    };
    const make = async (acceptedFor: number) => {
      const key = { from: 'Ann <a@BÜCHER.test>', apiKeyId: 'key', domainId: null, acceptedFor };
      const policies = new RecipientPolicies(undefined, [list], [{ decide }]);
      const message = addressedBy({ ...email(null), ...key }, build, policies, () => clock.now);
      await message.make();
      return message.refused;
    };
    expect((await make(3_600_000)).size).toBe(0);
    expect(decide).not.toHaveBeenCalled();
    list.decide.mockClear();
    const refusal = { type: 'failed', reason: 'not_verified', reasonCode: 'not_verified' };
    expect(await make(3_600_001)).toEqual(new Map(['a@to.test', 'b@to.test'].map((address) => [address, refusal])));
    expect(decide).toHaveBeenCalledWith({ accountId: 'account', from: 'a@xn--bcher-kva.test', apiKeyId: 'key' });
    expect(list.decide).not.toHaveBeenCalled();
  });

  it('asks the policies that come first before all others', async () => {
    const { build } = addressed();
    const order: string[] = [];
    const policy = (name: string) => ({
      decide: async ({ addresses }: { addresses: readonly string[] }) => {
        order.push(`${name} ${addresses}`);
        return addresses.map((address) => (address === 'a@to.test' ? { ...refused, code: name } : allowed));
      },
    });
    const decide = () => {
      order.push('sender');
      return allowed;
    };
    const list = { ...policy('list'), isSuppressionList: true };
    for (const acceptedFor of [0, 3_600_001]) {
      const key = { from: 'a@from.test', apiKeyId: null, domainId: null, acceptedFor };
      const policies = new RecipientPolicies(undefined, [policy('other'), list], [{ decide }], [policy('first')]);
      const message = addressedBy({ ...email(null), ...key }, build, policies);
      await message.make();
      expect([...message.refused]).toEqual([['a@to.test', { type: 'failed', reason: 'first', reasonCode: 'first' }]]);
    }
    const asked = ['first a@to.test,b@to.test', 'list b@to.test', 'other b@to.test'];
    expect(order).toEqual([...asked, asked[0], 'sender', ...asked.slice(1)]);
  });

  it('has no message when a sender policy answers with what acceptance refuses', async () => {
    const { build } = addressed();
    const decide = () => ({ allowed: false, code: 'x', message: 'No.', status: 200 }) as never;
    const key = { from: 'a@from.test', apiKeyId: null, domainId: null, acceptedFor: 3_600_001 };
    const policies = new RecipientPolicies(undefined, [], [{ decide }]);
    const message = addressedBy({ ...email(null), ...key }, build, policies);
    await expect(message.make()).rejects.toMatchObject({ name: 'InvalidPolicyAnswer' });
    expect(message.refused.size).toBe(0);
  });

  it('asks the list first, then each in its order, the topic policy last, and keeps the first reason', async () => {
    const { make, clock, decide } = addressed([[refused, allowed]]);
    const first = policyOf(clock, ['a@to.test'], 'first');
    const list = { ...policyOf(clock, ['b@to.test'], 'listed'), isSuppressionList: true };
    const message = make(email(), [first, policyOf(clock, [], ''), list]);
    expect(await message.make()).toBeUndefined();
    expect(list.decide.mock.invocationCallOrder[0]).toBeLessThan(first.decide.mock.invocationCallOrder[0] ?? 0);
    expect([askedOf(list), askedOf(first)]).toEqual([[['a@to.test', 'b@to.test']], [['a@to.test']]]);
    expect(decide).not.toHaveBeenCalled();
    expect([...message.refused]).toEqual([
      ['b@to.test', { type: 'suppressed', reason: 'listed', reasonCode: 'listed' }],
      ['a@to.test', { type: 'failed', reason: 'first', reasonCode: 'first' }],
    ]);
  });

  it('asks the topic policy about the recipients that the others allow', async () => {
    const { make, clock, decide } = addressed([[refused]]);
    const message = make(email(), [policyOf(clock, ['b@to.test'], 'not_here')]);
    expect(await message.make()).toBeUndefined();
    expect(decide).toHaveBeenCalledWith('account', 'topic', ['a@to.test']);
    expect(message.refused).toEqual(
      new Map([
        ['b@to.test', { type: 'failed', reason: 'not_here', reasonCode: 'not_here' }],
        ['a@to.test', OPTED_OUT],
      ]),
    );
  });

  it('asks no further policy when no recipient is left', async () => {
    const { make, clock } = addressed();
    const [all, never] = [policyOf(clock, ['a@to.test', 'b@to.test'], 'all'), policyOf(clock, [], '')];
    expect(await make(email(), [all, never]).make()).toBeUndefined();
    expect([askedOf(all), askedOf(never)]).toEqual([[['a@to.test', 'b@to.test']], []]);
  });

  it('asks them about an email without a topic, with its account and id, and asks no topic policy', async () => {
    const { make, clock, decide } = addressed();
    const policy = policyOf(clock, ['b@to.test'], 'staging_2');
    const message = make(email(null), [policy]);
    expect(message.holds).toBe(false);
    expect(await message.make()).toEqual({
      recipients: ['a@to.test'],
      hidden: new Set(['out@to.test', 'b@to.test']),
    });
    const addresses = ['a@to.test', 'b@to.test'];
    const question = { accountId: 'account', emailId: 'email', topicId: null, addresses };
    expect(policy.decide.mock.calls).toEqual([[question]]);
    expect(message.refused).toEqual(
      new Map([['b@to.test', { type: 'failed', reason: 'staging_2', reasonCode: 'staging_2' }]]),
    );
    expect(decide).not.toHaveBeenCalled();
  });

  it('holds for a second from the first question of a round, however late the last was asked', async () => {
    const { make, clock } = addressed();
    const [slow, last] = [policyOf(clock, [], '', 600), policyOf(clock, [], '')];
    const message = make(email(null), [slow, last]);
    await message.make();
    clock.now = 1_000;
    expect(message.holds).toBe(true);
    clock.now = 1_001;
    expect(message.holds).toBe(false);
    await message.make();
    expect([slow, last].map(askedOf)).toEqual(Array(2).fill(Array(2).fill(['a@to.test', 'b@to.test'])));
  });

  it('fails when they take three seconds together, and asks no further policy', async () => {
    const { make, clock } = addressed();
    const others = [policyOf(clock, [], '', 1_501), policyOf(clock, [], '', 1_500), policyOf(clock, [], '')];
    await expect(make(email(null), others).make()).rejects.toMatchObject({ name: 'PolicyTooSlow' });
    expect(others.map((policy) => askedOf(policy).length)).toEqual([1, 1, 0]);
  });

  it('fails after three rounds that took longer than their answers hold', async () => {
    const { make, clock } = addressed();
    const others = [policyOf(clock, [], '', 501), policyOf(clock, [], '', 500)];
    const message = make(email(null), others);
    for (let n = 0; n < 3; n++) {
      await message.make();
      expect(message.holds).toBe(false);
    }
    await expect(message.make()).rejects.toMatchObject({ name: 'PolicyTooSlow' });
    expect(others.map((policy) => askedOf(policy).length)).toEqual([3, 3]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no list', { 0: allowed, 1: allowed, length: 2 }],
    ['too few', [allowed]],
    ['too many', [allowed, allowed, allowed]],
    ['a hole', [allowed, undefined]],
    ['null for one', [null, allowed]],
    ['a boolean', [true, allowed]],
    ['a value that is only truthy', [{ allowed: 'no' }, allowed]],
    ['no verdict', [{ reason: 'odd' }, allowed]],
    ['a refusal without a code', [{ allowed: false, reason: 'odd' }, allowed]],
    ['a code that is no text', [{ allowed: false, code: 7 }, allowed]],
    ['a code of other letters', [{ allowed: false, code: 'Not here' }, allowed]],
    ['a code that is empty', [{ allowed: false, code: '' }, allowed]],
    ['a code of 51 characters', [{ allowed: false, code: 'x'.repeat(51) }, allowed]],
    ['a reason that is no text', [{ allowed: false, code: 'odd', reason: { text: 'odd' } }, allowed]],
  ])('has no message, and refuses no recipient, when a policy answers with %s', async (_, answer) => {
    const { make, clock, build } = addressed();
    const [broken, next] = [{ decide: async () => answer as [] }, policyOf(clock, [], '')];
    const message = make(email(null), [broken, next]);
    await expect(message.make()).rejects.toMatchObject({ name: 'InvalidPolicyAnswer' });
    expect([build.mock.calls, [...message.refused], askedOf(next)]).toEqual([[], [], []]);
  });

  it.each<[string, unknown]>([
    ['a boolean', [true, true]],
    ['a refusal without a reason', [{ allowed: false }, allowed]],
  ])('has no message when the topic policy answers with %s', async (_, answer) => {
    const { make } = addressed([answer as TopicDecision[]]);
    await expect(make().make()).rejects.toMatchObject({ name: 'InvalidPolicyAnswer' });
  });

  it('has no message when a policy fails, and asks no further policy', async () => {
    const { make, clock } = addressed();
    const next = policyOf(clock, [], '');
    const failing = {
      decide: () => {
        throw new RangeError('a bug');
      },
    };
    await expect(make(email(null), [failing, next]).make()).rejects.toBeInstanceOf(RangeError);
    expect(askedOf(next)).toEqual([]);
  });

  it('lets no policy change which recipients are asked about', async () => {
    const { make } = addressed();
    const sorting = {
      decide: async ({ addresses }: { addresses: readonly string[] }) =>
        (addresses as string[]).sort().map(() => ({ allowed: true as const })),
    };
    await expect(make(email(null), [sorting]).make()).rejects.toBeInstanceOf(TypeError);
  });

  it('makes the reason of a suppression list storable', async () => {
    const { make } = addressed();
    const reason = `\0${'x'.repeat(1_000)}`;
    const list: RecipientPolicy = {
      isSuppressionList: true,
      decide: async () => [{ allowed: false, code: 'manual', reason }, allowed],
    };
    const message = make(email(null), [list]);
    await message.make();
    expect(message.refused.get('a@to.test')).toEqual({
      type: 'suppressed',
      reason: `\ufffd${'x'.repeat(499)}`,
      reasonCode: 'manual',
    });
  });

  it.each([
    [
      'its reply',
      { reason: 'previous_bounce', diagnosticCode: ['smtp; 550 5.1.1 Unknown\0'] },
      '550 5.1.1 Unknown\ufffd',
    ],
    ['its words without a reply', { reason: 'previous_complaint', diagnosticCode: [] }, 'words'],
  ] as const)('records the entry of a suppression list, with %s', async (_, suppressed, reason) => {
    const { make } = addressed();
    const refusal = { allowed: false, code: 'listed', reason: 'words', suppressed } as const;
    const list: RecipientPolicy = { isSuppressionList: true, decide: async () => [refusal, allowed] };
    const message = make(email(null), [list]);
    await message.make();
    expect(message.refused.get('a@to.test')).toEqual({ type: 'suppressed', reason, reasonCode: suppressed.reason });
  });
});
