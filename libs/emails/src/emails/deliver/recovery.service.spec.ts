import { jest } from '@jest/globals';
import type { WakeUp } from '../queue/delivery-queue.js';
import type { ByLane } from '../states/email-priorities.js';
import type { OverdueEmail } from '../storage/deliver/delivery.repository.js';
import { RecoveryService } from './recovery.service.js';

const LATE: OverdueEmail = { emailId: 'late', accountId: 'account', fence: 0, isBulk: false, dueAt: 'then', delay: 0 };
const HOUR = 3_600_000;

const both = (time: number): ByLane => ({ now: time, bulk: time });

/** A sweep over `due` emails, with the questions it asked and the emails it woke. */
function sweepOver(
  due: number,
  isIdle: () => boolean,
  interval = HOUR,
  dueAt = (email: number) => `${email}`,
  anyWaits = false,
  waits: ByLane[] = [],
  clock: { now: number; look: number } = { now: 0, look: 0 },
) {
  const asked: { grace: ByLane; limit: number; from: string | undefined }[] = [];
  const wakeUps: WakeUp[] = [];
  const releaseKeptForTransports = jest.fn(async () => {});
  const overdue = async (grace: ByLane, _ahead: number, limit: number, _hops: bigint, from?: string) => {
    asked.push({ grace, limit, from });
    if (from === undefined) clock.now += clock.look;
    const first = Number(from ?? 0);
    const length = Math.max(Math.min(limit, due - first), 0);
    const emails = Array.from({ length }, (_, index) => ({
      ...LATE,
      emailId: `${first + index}`,
      dueAt: dueAt(first + index),
    }));
    return { emails, anyWaits, clearTo: 'clear' };
  };
  const delivered: string[] = [];
  const deliver = async (emailId: string) => void delivered.push(emailId);
  const hop = { upBits: 1n, goOn: jest.fn(async () => {}), stop: jest.fn() };
  const queue = {
    wake: (wakeUp: WakeUp) => void wakeUps.push(wakeUp),
    longestWait: async () => waits.shift() ?? both(0),
  };
  return {
    asked,
    wakeUps,
    delivered,
    hop,
    recovery: new RecoveryService(
      { overdue, releaseKeptForTransports },
      queue,
      hop,
      interval,
      isIdle,
      deliver,
      () => clock.now,
    ),
  };
}

describe('RecoveryService', () => {
  it('releases emails that wait for the next hop, and leaves the hop alone when none waits', async () => {
    const none = sweepOver(1, () => true);
    await none.recovery.sweep();
    expect(none.hop.goOn).not.toHaveBeenCalled();
    const { recovery, hop } = sweepOver(0, () => true, HOUR, String, true);
    await recovery.sweep();
    expect(hop.goOn).toHaveBeenCalledTimes(1);
    await recovery.stop();
    expect(hop.stop).toHaveBeenCalledTimes(1);
  });

  it('wakes overdue emails at once after a start, and then gives wake-ups a second to arrive', async () => {
    const { asked, wakeUps, recovery } = sweepOver(1, () => true);
    await recovery.sweep();
    await recovery.sweep();
    expect(asked.map(({ grace }) => grace)).toEqual([both(0), both(1_000)]);
    expect(wakeUps).toEqual([
      { ...LATE, emailId: '0', dueAt: '0' },
      { ...LATE, emailId: '0', dueAt: '0' },
    ]);
  });

  it('leaves emails behind the first in the queue of their lane to the queue, and asks for that while any is due', async () => {
    const bulkAlone = { now: 0, bulk: 3_600_000 };
    const waits = [both(5_000), both(300), bulkAlone, both(0), both(0), both(7_000)];
    const { asked, recovery } = sweepOver(0, () => true, 0, undefined, false, waits);
    for (let sweep = 0; sweep < 6; sweep++) await recovery.sweep();
    const apart = { now: 1_000, bulk: 3_601_000 };
    expect(asked.map(({ grace }) => grace)).toEqual([
      both(6_000),
      both(1_300),
      apart,
      ...[1, 2, 3].map(() => both(1_000)),
    ]);
    expect(waits).toEqual([both(0), both(7_000)]);
  });

  it('continues at once from where it stopped, while there is more and this process has too little to do', async () => {
    const { wakeUps, recovery } = sweepOver(10_000, () => true);
    let looks = 0;
    while (await recovery.sweep()) looks++;
    const woken = [...new Set(wakeUps.map(({ emailId }) => Number(emailId)))];
    expect(woken).toEqual(Array.from({ length: 10_000 }, (_, email) => email));
    expect(looks).toBeLessThan(10);
  });

  it('delivers emails itself that it has woken for ten seconds without effect, while it has too little to do', async () => {
    const clock = { now: 0, look: 0 };
    let idle = false;
    const { wakeUps, delivered, recovery } = sweepOver(2, () => idle, 0, String, false, [], clock);
    for (const now of [0, 5_000, 9_999, 10_000]) {
      clock.now = now;
      await recovery.sweep();
    }
    expect(delivered).toEqual([]);
    expect(wakeUps).toHaveLength(8);
    idle = true;
    await recovery.sweep();
    await recovery.stop();
    expect(delivered).toEqual(['0', '1']);
    expect(wakeUps).toHaveLength(8);
  });

  it('leaves PostgreSQL alone while this process has enough to do', async () => {
    let idle = false;
    const { asked, recovery } = sweepOver(10_000, () => idle);
    expect([await recovery.sweep(), await recovery.sweep(), await recovery.sweep()]).toEqual([true, true, true]);
    expect(asked).toHaveLength(1);
    idle = true;
    await recovery.sweep();
    expect(asked).toHaveLength(2);
  });

  it('looks at the longest overdue when its time has come, and continues behind them, however busy it is', async () => {
    const { asked, recovery } = sweepOver(10_000, () => false, 0);
    for (let sweep = 0; sweep < 3; sweep++) await recovery.sweep();
    expect(asked.map(({ from }) => from)).toEqual([undefined, undefined, '499', undefined, '998']);
  });

  it('does not loop among emails that are due at the same moment', async () => {
    const { asked, recovery } = sweepOver(
      10_000,
      () => true,
      HOUR,
      () => '0',
    );
    while (await recovery.sweep());
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('looks from the beginning for 1 % of the time, else from the place before which it found none', async () => {
    const clock = { now: 0, look: 200 };
    const { asked, recovery } = sweepOver(0, () => true, 0, undefined, false, [], clock);
    for (let sweep = 0; sweep < 12; sweep++) {
      await recovery.sweep();
      clock.now += 2_000;
    }
    const later = Array.from({ length: 9 }, () => 'clear');
    expect(asked.map(({ from }) => from)).toEqual([undefined, ...later, undefined, 'clear']);
  });
});
