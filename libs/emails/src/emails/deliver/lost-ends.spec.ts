import { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { Lease } from '../storage/deliver/delivery.repository.js';
import { afterLostEnds } from './lost-ends.js';

const RULES = {
  hop: 'final' as const,
  onUnknown: 'retry' as 'retry' | 'hold',
  retryPolicy: new RetryPolicy([1_000, 2_000, 3_000, 4_000], () => 0),
};

const lease = (some: Partial<Lease>, attempts: number): Lease => ({
  email: { recipients: [{ address: 'a@to.test', status: 'pending' }], attempts } as unknown as Lease['email'],
  fence: 1,
  started: null,
  endUnknown: false,
  lostEnds: 0,
  sinceLostEnd: null,
  ...some,
});
const justLost = (count: number, attempts = count) =>
  lease({ endUnknown: true, lostEnds: count, sinceLostEnd: 0 }, attempts);

describe('afterLostEnds', () => {
  it('leaves an email alone when all of its attempts have a known end', () => {
    expect(afterLostEnds(lease({}, 0), RULES)).toBeUndefined();
    expect(afterLostEnds(lease({ lostEnds: 3 }, 9), RULES)).toBeUndefined();
  });

  it('tries again at once after the first two lost ends', () => {
    expect(afterLostEnds(justLost(1), RULES)).toBeUndefined();
    expect(afterLostEnds(justLost(2), RULES)).toBeUndefined();
  });

  it('waits as the schedule says from the third on, and records why', () => {
    expect(afterLostEnds(justLost(3), RULES)).toMatchObject({
      lastEvent: 'delivery_delayed',
      attempts: 3,
      retryIn: 3_000,
      events: [
        {
          type: 'delivery_delayed',
          recipient: 'a@to.test',
          reason: 'A worker died during an attempt.',
          reasonCode: 'worker_lost',
        },
      ],
    });
    expect(afterLostEnds(justLost(3, 4), RULES)).toMatchObject({ attempts: 4, retryIn: 4_000 });
  });

  it('waits even when the earlier settlement could not be written', () => {
    const later = (sinceLostEnd: number) => afterLostEnds(lease({ lostEnds: 3, sinceLostEnd }, 3), RULES);
    expect(later(1_000)).toMatchObject({ retryIn: 2_000, events: [], outcomes: null });
    expect(later(3_000)).toBeUndefined();
  });

  it('fails it with a reason at the end of the schedule, now and when that could not be written earlier', () => {
    const end = { lastEvent: 'failed', retryIn: null, events: [{ type: 'failed', recipient: 'a@to.test' }] };
    expect(afterLostEnds(justLost(5), RULES)).toMatchObject(end);
    expect(afterLostEnds(lease({ lostEnds: 5, sinceLostEnd: 9_000 }, 5), RULES)).toMatchObject(end);
  });

  it('holds it after the first when the host chose so, now and when that could not be written earlier', () => {
    const rules = { ...RULES, onUnknown: 'hold' as const };
    expect(afterLostEnds(justLost(1), rules)).toMatchObject({ lastEvent: 'failed', retryIn: null });
    expect(afterLostEnds(lease({ lostEnds: 1, sinceLostEnd: 5 }, 1), rules)).toMatchObject({ lastEvent: 'failed' });
  });
});
