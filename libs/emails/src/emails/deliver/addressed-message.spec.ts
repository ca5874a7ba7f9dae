import { jest } from '@jest/globals';
import type { TopicDecision } from '../ports/topic-policy.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { AddressedMessage } from './addressed-message.js';

const allowed: TopicDecision = { allowed: true };
const refused: TopicDecision = { allowed: false, reason: 'opted out' };

const email = (topicId: string | null = 'topic') =>
  ({
    accountId: 'account',
    topicId,
    recipients: [
      { address: 'a@to.test', status: 'pending' },
      { address: 'sent@to.test', status: 'delivered' },
      { address: 'b@to.test', status: 'delivery_delayed' },
      { address: 'out@to.test', status: 'suppressed' },
    ],
  }) as unknown as OwedEmail;

/** An email whose policy gives these answers, each after so many milliseconds. */
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
  const make = (of = email()) =>
    new AddressedMessage(of, { build } as never, { exists: async () => true, decide }, () => clock.now);
  return { make, clock, decide, build };
}

describe('AddressedMessage', () => {
  it('is for those who are owed it and may get it, and shows nobody else', async () => {
    const { make, decide } = addressed([[refused, allowed]]);
    const message = make();
    expect(await message.make()).toEqual({
      recipients: ['b@to.test'],
      hidden: new Set(['out@to.test', 'a@to.test']),
    });
    expect(decide).toHaveBeenCalledWith('account', 'topic', ['a@to.test', 'b@to.test']);
    expect(message.refused).toEqual(new Map([['a@to.test', 'opted out']]));
  });

  it('asks nobody where there is no topic, at no time', async () => {
    const { make, clock, decide, build } = addressed();
    const message = make(email(null));
    await message.make();
    clock.now = 3_600_000;
    expect(message.holds).toBe(true);
    await message.make();
    expect(decide).not.toHaveBeenCalled();
    expect(build).toHaveBeenCalledTimes(1);
  });

  it('is good for a second from the question on, and builds anew only when the answer is another', async () => {
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

  it('is for nobody when nobody may get it', async () => {
    const { make, build } = addressed([[refused, refused]]);
    const message = make();
    expect(await message.make()).toBeUndefined();
    expect([...message.refused.keys()]).toEqual(['a@to.test', 'b@to.test']);
    expect(build).not.toHaveBeenCalled();
  });

  it('does not hold after an answer that took longer than a second, and is given up after three of them', async () => {
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

  it('refuses everybody whom the policy says nothing of', async () => {
    const { make } = addressed([[allowed]]);
    const message = make();
    expect(await message.make()).toMatchObject({ recipients: ['a@to.test'] });
    expect(message.refused.get('b@to.test')).toBe('Topics are not available.');
  });
});
