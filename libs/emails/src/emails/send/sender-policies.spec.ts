import { jest } from '@jest/globals';
import type { SenderDecision, SenderPolicy, SenderRefusal } from '../ports/sender-policy.js';
import { SenderPolicies } from './sender-policies.js';

const refused: SenderRefusal = { allowed: false, code: 'domain_not_verified', message: 'Verify the domain.' };
const policy = (decision: unknown = { allowed: true }) =>
  ({ decide: jest.fn<SenderPolicy['decide']>(async () => decision as SenderDecision) }) satisfies SenderPolicy;

const refusal = (changes: Partial<SenderRefusal> = {}) =>
  Promise.resolve(new SenderPolicies([policy({ ...refused, ...changes })]).check('one', 'a@from.test', {}))
    .then(() => undefined)
    .catch(({ statusCode, name, message }) => [statusCode, name, message]);

describe('SenderPolicies', () => {
  it('keep nothing without a policy', () => {
    expect(new SenderPolicies().check('one', 'a@from.test', { apiKeyId: 'key' })).toBeUndefined();
    expect(new SenderPolicies([]).forMany().check('one', 'no mailbox', undefined)).toBeUndefined();
  });

  it('pass account, key and bare address to each policy, and keep the key', async () => {
    const policies = [policy(), policy()];
    const key = { apiKeyId: 'key', domainId: 'domain', permission: 'full_access' };
    const kept = await new SenderPolicies(policies).check('one', 'Ann <a@BÜCHER.test>', key);
    expect(kept).toEqual({ apiKeyId: 'key', domainId: 'domain' });
    for (const { decide } of policies) {
      expect(decide.mock.calls).toEqual([
        [{ accountId: 'one', from: 'a@xn--bcher-kva.test', apiKeyId: 'key', domainId: 'domain' }],
      ]);
    }
  });

  it('call none after the first refusal', async () => {
    const last = policy();
    await expect(new SenderPolicies([policy(refused), last]).check('one', 'a@from.test', undefined)).rejects.toThrow(
      'Verify the domain.',
    );
    expect(last.decide).not.toHaveBeenCalled();
  });

  it('refuse with the status and name of the policy, or with those of the table', async () => {
    expect(await refusal()).toEqual([403, 'invalid_access', 'Verify the domain.']);
    expect(await refusal({ status: 422 })).toEqual([422, 'validation_error', 'Verify the domain.']);
    expect(await refusal({ code: 'restricted_api_key' })).toEqual([403, 'restricted_api_key', 'Verify the domain.']);
    expect(await refusal({ name: 'validation_error' })).toEqual([403, 'validation_error', 'Verify the domain.']);
  });

  it.each<[unknown, string]>([
    [{ ...refused, status: 200 }, "`status` of a sender policy's decision must be 403 or 422."],
    [{ ...refused, code: 'Domain not verified' }, "`code` of a sender policy's decision must have 1 to 50 characters"],
    [{ ...refused, message: undefined }, "`message` of a sender policy's decision must be a text."],
    [{ ...refused, name: 'no' }, "`name` of a sender policy's decision must be in the table of errors."],
    [null, "`allowed` of a sender policy's decision must be true or false."],
  ])('throw for the invalid decision %j', async (decision, message) => {
    const asked = new SenderPolicies([policy(decision)]).check('one', 'a@from.test', undefined);
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toMatchObject({ name: 'InvalidPolicyAnswer' });
  });

  it('refuse with 503 when there is no answer within 3 seconds', async () => {
    jest.useFakeTimers();
    const decide = () => new Promise<SenderDecision>(() => {});
    const asked = expect(new SenderPolicies([{ decide }]).check('one', 'a@from.test', undefined)).rejects;
    const is503 = asked.toMatchObject({ statusCode: 503, message: expect.stringContaining('Nothing was accepted.') });
    await jest.advanceTimersByTimeAsync(3_000);
    await is503;
    jest.useRealTimers();
  });

  it.each([undefined, null, true, {}, { allowed: 'yes' }])('treat %p as no decision', async (decision) => {
    const asked = new SenderPolicies([policy(decision ?? null)]).check('one', 'a@from.test', undefined);
    await expect(asked).rejects.toThrow(TypeError);
  });

  it('call each policy once for many equal questions', async () => {
    const one = policy();
    const many = new SenderPolicies([one]).forMany();
    for (const from of ['a@from.test', 'Ann <a@from.test>', 'b@from.test']) await many.check('one', from, undefined);
    expect(one.decide).toHaveBeenCalledTimes(2);
  });
});
