import { jest } from '@jest/globals';
import { LeaseRenewal } from './lease-renewal.js';
import type { LeaseWrite } from './lease-write.js';

const DURATION = 9_000;
interface Lease {
  id: string;
  fence: number;
}

const A = { id: 'a', fence: 1 };
const B = { id: 'b', fence: 1 };

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A renewal on a scripted storage, and the calls to that storage. */
function renewalOn(answer: (lease: Lease) => LeaseWrite | Promise<LeaseWrite>) {
  const renewed: string[][] = [];
  const waited: string[] = [];
  const extend = async (leases: readonly Lease[]) => {
    renewed.push(leases.map(({ id }) => id));
    return Promise.all(leases.map(answer));
  };
  const locked: ((written: LeaseWrite) => void)[] = [];
  const extendLocked = (lease: Lease) => {
    waited.push(lease.id);
    return new Promise<LeaseWrite>((resolve) => locked.push(resolve));
  };
  return { renewed, waited, locked, renewal: new LeaseRenewal({ extend, extendLocked }, DURATION, 'emails') };
}

describe('LeaseRenewal', () => {
  it('renews all leases together, three times per lease duration, until their release', async () => {
    const { renewed, renewal } = renewalOn(() => 'done');
    const letGo = [A, B].map((lease) => renewal.hold(lease, performance.now()));
    await jest.advanceTimersByTimeAsync(6_100);
    expect(renewed).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    letGo[0]?.();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(renewed.at(-1)).toEqual(['b']);
    letGo[1]?.();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('knows the guaranteed end of a lease, from the request for it or its renewal', async () => {
    let answer: LeaseWrite = 'done';
    const { renewal } = renewalOn(() => answer);
    renewal.hold(A, performance.now());
    await jest.advanceTimersByTimeAsync(8_900);
    answer = 'lost';
    expect(renewal.holds(A)).toBe(true);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(renewal.holds(A)).toBe(true);
    await jest.advanceTimersByTimeAsync(200);
    expect(renewal.holds(A)).toBe(false);
    expect(renewal.holds(B)).toBe(false);
  });

  it('renews a locked one separately and once, while the others continue', async () => {
    const { renewed, waited, locked, renewal } = renewalOn(({ id }) => (id === 'a' ? 'locked' : 'done'));
    const letGo = [A, B].map((lease) => renewal.hold(lease, performance.now()));
    await jest.advanceTimersByTimeAsync(9_100);
    expect(renewed).toHaveLength(3);
    expect(waited).toEqual(['a']);
    expect(renewal.holds(A)).toBe(false);
    expect(renewal.holds(B)).toBe(true);
    locked[0]?.('done');
    for (const release of letGo) release();
  });

  it('renews the others when one cannot be renewed', async () => {
    const { renewal } = renewalOn(({ id }) => (id === 'a' ? Promise.reject(new Error('a trigger')) : 'done'));
    const letGo = [A, B].map((lease) => renewal.hold(lease, performance.now()));
    await jest.advanceTimersByTimeAsync(9_100);
    expect(renewal.holds(A)).toBe(false);
    expect(renewal.holds(B)).toBe(true);
    for (const release of letGo) release();
  });
});
