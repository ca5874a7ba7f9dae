import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Alarms } from '../../shared/alarms/alarms.js';
import { FeedbackAlarms } from '../alarms/feedback-alarms.js';
import { BadHours } from './bad-hours.js';
import type { OperatorCounts } from './judge-hour.js';
import type { ClaimedHold } from './operators.repository.js';

const HOUR = 3_600_000;
const SINCE = new Date('2026-11-26T12:00:00Z');
const NONE: OperatorCounts = { refusals: 0, ownRefusals: 0, own: 0, others: 0 };
const BAD: OperatorCounts = { refusals: 60, ownRefusals: 60, own: 100, others: 0 };
const GOOD: OperatorCounts = { ...BAD, own: 100_000 };
const HOLD: ClaimedHold = {
  operator: 'gmail',
  since: SINCE,
  limitRate: 0.25,
  said: true,
  isEnding: false,
  quiet: 0,
};

function watch({
  counts = BAD,
  holds = [],
  others = [],
  worst = [],
  late = 0,
  failing = false,
  left = 0,
}: Partial<Given> = {}) {
  const done: string[] = [];
  const claims = [holds, [{ ...HOLD, said: false }, ...others]];
  const note =
    (what: string) =>
    async (...args: unknown[]) =>
      void done.push([what, ...args.filter((arg) => typeof arg !== 'object')].join(' '));
  let candidates = 600;
  const alarm =
    (ending: string): Alarms['end'] =>
    async ({ code, subject }) => {
      if (failing) throw new TypeError('secret');
      done.push(`${code} ${subject} ${ending}`);
    };
  const alarms: Alarms = { isOn: true, raise: alarm('begins'), end: alarm('over') };
  const badHours = new BadHours(
    {
      count: note('count'),
      recent: async () => [{ operator: 'gmail', ...counts }],
      usual: async () => undefined,
      ofWorstAccounts: async () => worst,
      forget: async () => {},
      held: async () => new Set<string>(),
      begin: note('begin'),
      claim: async () => claims.shift() ?? [],
      release: note('release'),
      said: note('said'),
      stillBad: note('still bad'),
      end: note('end'),
      delete: note('delete'),
    },
    {
      takeOff: async (operator, from, limit) => {
        done.push(`take off ${operator} ${from.toISOString()}`);
        return limit === 500 ? 3 : 0;
      },
      count: async (operator, age, limit) => {
        const some = Math.min(late, limit);
        late -= some;
        if (some > 0) done.push(`count ${some} of ${operator} after ${age / HOUR} hours`);
        return some;
      },
      putOn: async (_, limit) => {
        const some = Math.min(candidates, limit);
        candidates -= some;
        done.push(`put on ${some}`);
        return some;
      },
      has: async () => left > 0,
    },
    { flush: async () => {} },
    new FeedbackAlarms(alarms),
  );
  return { done, badHours, step: () => badHours.step() };
}
interface Given {
  counts: OperatorCounts;
  holds: ClaimedHold[];
  /** Claimed with the new one. */
  others: ClaimedHold[];
  /** Parts of the accounts with most refusals, added up. */
  worst: OperatorCounts[];
  /** Candidates that are old enough to count. */
  late: number;
  failing: boolean;
  left: number;
}

describe('BadHours', () => {
  it('begins a bad hour: takes off what was added in ten minutes, and says so', async () => {
    const { done, step } = watch();
    await step();
    expect(done).toEqual([
      'begin gmail 0.25',
      'take off gmail 2026-11-26T11:50:00.000Z',
      'provider_bad_hour gmail begins',
      'said gmail',
      'still bad gmail',
      'release gmail',
    ]);
  });

  it('judges another hold that it claims then by the counts of that operator', async () => {
    const { done, step } = watch({ others: [{ ...HOLD, operator: 'yahoo', quiet: HOUR }] });
    await step();
    expect(done).toContain('still bad gmail');
    expect(done).not.toContain('still bad yahoo');
    expect(done).toContain('end yahoo');
  });

  it('begins none at a usual rate, or with few refusals', async () => {
    for (const counts of [GOOD, { ...BAD, refusals: 49, ownRefusals: 49 }]) {
      const { done, step } = watch({ counts });
      await step();
      expect(done).toEqual([]);
    }
  });

  it('begins none that one or few accounts alone make, and suspects none', async () => {
    const counts = { ...BAD, own: 150 };
    const one = watch({ counts, worst: [{ ...BAD, others: 0 }] });
    await one.step();
    expect(one.done).toEqual([]);
    const half = { ...BAD, refusals: BAD.refusals / 2, ownRefusals: BAD.ownRefusals / 2, own: BAD.own / 2 };
    const two = watch({ counts, worst: [half, BAD] });
    await two.step();
    expect(two.done).toEqual([]);
    const few = { ...counts, refusals: 45, ownRefusals: 45 };
    expect(await watch({ counts: few, worst: [{ ...few, own: 100 }] }).badHours.isSuspected()).toBe(false);
    const everyone = watch({ counts, worst: [{ ...NONE, refusals: 1, ownRefusals: 1, own: 1 }] });
    await everyone.step();
    expect(everyone.done[0]).toBe('begin gmail 0.25');
  });

  it('ends while one account alone makes the rate', async () => {
    const { done, step } = watch({ counts: { ...BAD, own: 150 }, worst: [BAD], holds: [{ ...HOLD, quiet: HOUR }] });
    await step();
    expect(done[1]).toBe('end gmail');
  });

  it('counts candidates against their accounts after six hours, however long it lasts', async () => {
    const { done, step } = watch({ holds: [HOLD], late: 501 });
    await step();
    expect(done.slice(1)).toEqual([
      'count 500 of gmail after 6 hours',
      'count 1 of gmail after 6 hours',
      'still bad gmail',
      'release gmail',
    ]);
  });

  it.each([
    ['10 refusals at a bad rate', 10, 40, true],
    ['9', 9, 9, false],
    ['49 at a usual rate', 49, 197, false],
    ['50, which are judged', 50, 50, false],
  ])('may begin with %s', async (_, refusals, own, isSuspected) => {
    const { done, badHours } = watch({ counts: { refusals, ownRefusals: refusals, own, others: 0 } });
    expect(await badHours.isSuspected()).toBe(isSuspected);
    expect(done).toEqual([]);
  });

  it('goes on for an hour after the last bad rate', async () => {
    const { done, step } = watch({ counts: GOOD, holds: [{ ...HOLD, quiet: HOUR - 1 }] });
    await step();
    expect(done.slice(1)).toEqual(['release gmail']);
  });

  it('goes on while the rate is bad', async () => {
    const { done, step } = watch({ holds: [{ ...HOLD, quiet: HOUR }] });
    await step();
    expect(done.slice(1)).toEqual(['still bad gmail', 'release gmail']);
  });

  it('ends: candidates become entries, in groups', async () => {
    const { done, step } = watch({ counts: GOOD, holds: [{ ...HOLD, quiet: HOUR }] });
    await step();
    expect(done.slice(1)).toEqual([
      'end gmail',
      'put on 500',
      'put on 100',
      'provider_bad_hour gmail over',
      'delete gmail',
    ]);
  });

  it('goes on with an end that another process began', async () => {
    const { done, step } = watch({ holds: [{ ...HOLD, isEnding: true }] });
    await step();
    expect(done).toEqual(['put on 500', 'put on 100', 'provider_bad_hour gmail over', 'delete gmail']);
  });

  it('waits for candidates that are locked', async () => {
    const { done, step } = watch({ holds: [{ ...HOLD, isEnding: true }], left: 1 });
    await step();
    expect(done).toEqual(['put on 500', 'put on 100', 'release gmail']);
  });

  it('repeats an alarm that failed, and does everything else', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const begins = watch({ failing: true });
    await begins.step();
    expect(begins.done).toEqual([
      'begin gmail 0.25',
      'take off gmail 2026-11-26T11:50:00.000Z',
      'still bad gmail',
      'release gmail',
    ]);
    const ends = watch({ failing: true, holds: [{ ...HOLD, isEnding: true }] });
    await ends.step();
    expect(ends.done).toEqual(['put on 500', 'put on 100', 'release gmail']);
    expect(error.mock.calls.map(([text]) => text)).toEqual(
      Array(2).fill('The alarm about gmail failed: TypeError. It will be tried again.'),
    );
    error.mockRestore();
  });
});
