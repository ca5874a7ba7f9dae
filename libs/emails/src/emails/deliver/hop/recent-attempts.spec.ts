import type { RecipientOutcome } from '../../ports/email-transport.js';
import { RecentAttempts } from './recent-attempts.js';

const MINUTE = 60_000;
const to = (address: string, outcome: RecipientOutcome['outcome'] = 'accepted'): RecipientOutcome => ({
  address,
  outcome,
  reply: { text: '' },
});

function countedAt(start: number) {
  const clock = { now: start };
  return { clock, recent: new RecentAttempts(() => clock.now) };
}

describe('RecentAttempts', () => {
  it('counts recipients by destination, whatever its letter case, the largest first', () => {
    const { recent } = countedAt(0);
    recent.add([to('a@One.test'), to('b@two.test', 'deferred')]);
    recent.add([to('"a@b"@one.test'), to('c@ONE.test', 'rejected'), to('d@one.test', 'unknown')]);
    expect(recent.read()).toEqual({
      acceptedPerMinute: 2 / 5,
      destinations: [
        { domain: 'one.test', accepted: 2, others: 2 },
        { domain: 'two.test', accepted: 0, others: 1 },
      ],
    });
  });

  it('forgets after five minutes, also without further attempts', () => {
    const { clock, recent } = countedAt(10 * MINUTE);
    recent.add([to('a@one.test')]);
    clock.now += 4 * MINUTE;
    recent.add([to('a@two.test')]);
    expect(recent.read().acceptedPerMinute).toBe(2 / 5);
    clock.now += MINUTE;
    expect(recent.read().destinations).toEqual([{ domain: 'two.test', accepted: 1, others: 0 }]);
    clock.now += 60 * MINUTE;
    expect(recent.read()).toEqual({ acceptedPerMinute: 0, destinations: [] });
  });

  it('keeps a limited number of destinations, and shows ten', () => {
    const { recent } = countedAt(0);
    for (let n = 0; n < 1_000; n++) recent.add([to(`a@d${n}.test`)]);
    const { destinations, acceptedPerMinute } = recent.read();
    expect(acceptedPerMinute).toBe(200);
    expect(destinations).toHaveLength(10);
    expect(destinations[0]).toEqual({ domain: 'other', accepted: 900, others: 0 });
  });
});
