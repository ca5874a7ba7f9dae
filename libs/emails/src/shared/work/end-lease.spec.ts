import { jest } from '@jest/globals';
import { endLease } from './end-lease.js';
import type { LeaseWrite } from './lease-write.js';

describe('endLease', () => {
  const failing = () => Promise.reject(new Error('away'));
  const writing = (written: LeaseWrite) => () => Promise.resolve(written);

  it.each<LeaseWrite>(['done', 'lost'])('tries until it is %s', async (end) => {
    const answers = [failing, writing('locked'), failing, writing(end), failing];
    const asked = answers.length;
    await endLease(() => (answers.shift() ?? failing)(), 60_000);
    expect(asked - answers.length).toBe(4);
  });

  it('gives up when the lease has expired', async () => {
    const release = jest.fn(failing);
    await endLease(release, 300);
    expect(release.mock.calls.length).toBeGreaterThan(1);
  });
});
