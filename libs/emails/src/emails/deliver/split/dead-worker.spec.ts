import { RetryPolicy } from '../../../shared/work/retry-policy.js';
import type { Lease, LostMessage } from '../../storage/deliver/delivery.repository.js';
import type { Route } from '../routes/route.js';
import { afterDeadWorker } from './dead-worker.js';
import { turnsOf } from './recipient-turn.js';

const RULES = {
  hop: 'final' as const,
  onUnknown: 'retry' as const,
  retryPolicy: new RetryPolicy([1_000, 2_000, 3_000, 4_000], () => 0),
};

const ROUTES = { named: () => ({ rules: RULES }) as Route };

/** The second recipient of an email with these lost ends. */
function second(lost: readonly Omit<LostMessage, 'message'>[]) {
  const recipients = ['a@to.test', 'b@to.test'].map((address) => ({ address, status: 'pending' as const }));
  const lostMessages = lost.map((one) => ({ message: 2, ...one }));
  const lease = { email: { recipients, attempts: lost.length, age: 0 }, lostMessages } as unknown as Lease;
  const [first, turn] = turnsOf(lease);
  expect(first && afterDeadWorker(first, lease, ROUTES)).toBeUndefined();
  return turn && afterDeadWorker(turn, lease, ROUTES);
}

const EARLIER = { isNew: false, since: null };
const justNow = { isNew: true, since: 0 };

describe('afterDeadWorker', () => {
  it('tries a recipient at once after two lost ends', () => {
    expect(second([])).toBeUndefined();
    expect(second([EARLIER, justNow])).toBeUndefined();
  });

  it('delays it from the third on, as its schedule says', () => {
    expect(second([EARLIER, EARLIER, justNow])).toMatchObject({
      retryIn: 3_000,
      attempts: 3,
      events: [{ type: 'delivery_delayed', recipient: 'b@to.test', reasonCode: 'worker_lost' }],
    });
    expect(second([EARLIER, EARLIER, { isNew: false, since: 2_500 }])).toMatchObject({ retryIn: 500, outcomes: null });
    expect(second([EARLIER, EARLIER, { isNew: false, since: 3_000 }])).toBeUndefined();
  });

  it('ends it when the schedule does', () => {
    expect(second(Array(5).fill(justNow))).toMatchObject({ retryIn: null, events: [{ reasonCode: 'expired' }] });
  });

  it('leaves it alone once it was tried again', () => {
    expect(second([EARLIER, EARLIER, EARLIER])).toBeUndefined();
  });
});
