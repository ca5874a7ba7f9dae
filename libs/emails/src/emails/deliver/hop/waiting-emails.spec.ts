import { jest } from '@jest/globals';
import type { WakeUp } from '../../queue/delivery-queue.js';
import { WaitingEmails } from './waiting-emails.js';

function waiting(count: number) {
  const woken: WakeUp[] = [];
  let left = count;
  const release = jest.fn(async (_hops: bigint, limit: number) => {
    const length = Math.min(left, limit);
    left -= length;
    const emails = Array.from({ length }, (_, n) => ({
      emailId: `${left}-${n}`,
      accountId: 'account',
      fence: 1,
      isBulk: false,
    }));
    return { emails, more: length === limit };
  });
  const queue = { wake: (wakeUp: WakeUp) => void woken.push(wakeUp) };
  return { woken, release, emails: new WaitingEmails({ release }, queue, 4n) };
}

describe('WaitingEmails', () => {
  it('wakes all in groups, until none is left', async () => {
    const { woken, release, emails } = waiting(1_200);
    await emails.release(() => true);
    expect(new Set(woken.map(({ emailId }) => emailId)).size).toBe(1_200);
    expect(woken.every(({ delay }) => delay === 0)).toBe(true);
    expect(release.mock.calls).toEqual(Array.from({ length: 3 }, () => [4n, 500]));
  });

  it('stops when the hop is down again', async () => {
    const { woken, emails, release } = waiting(5_000);
    await emails.release(() => release.mock.calls.length < 2);
    expect(woken).toHaveLength(1_000);
    expect(woken.every(({ mayShare }) => mayShare)).toBe(true);
  });

  it('looks once more for callers that ask during a look, not in parallel', async () => {
    const { release, emails } = waiting(0);
    await Promise.all(Array.from({ length: 10 }, () => emails.release(() => true)));
    expect(release).toHaveBeenCalledTimes(2);
  });

  it('can be asked again after PostgreSQL failed', async () => {
    const { release, emails, woken } = waiting(1);
    release.mockRejectedValueOnce(new Error('away'));
    await expect(emails.release(() => true)).rejects.toThrow('away');
    await emails.release(() => true);
    expect(woken).toHaveLength(1);
  });
});
