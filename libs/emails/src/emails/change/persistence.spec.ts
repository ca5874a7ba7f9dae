import { OutcomeUnknownError } from '../../shared/errors/database-errors.js';
import type { ChangeResult } from '../storage/deliver/change.repository.js';
import { Persistence } from './persistence.js';

const DONE = { kind: 'changed', fence: 1, delay: null, isBulk: false, event: null } as const satisfies ChangeResult;
const LOCKED = { kind: 'locked' } as const satisfies ChangeResult;
const UNKNOWN = new OutcomeUnknownError({ cause: undefined });

const failure = (code: string) => Object.assign(new Error('x'), { code });

/** A change whose attempts end in these ways, in this order; the last one repeats. */
function change(...ends: (ChangeResult | Error)[]) {
  const calls = { count: 0 };
  const make = async () => {
    const end = ends[Math.min(calls.count, ends.length - 1)];
    calls.count += 1;
    if (!end || end instanceof Error) throw end;
    return end;
  };
  return { make, calls };
}

describe('a change', () => {
  it.each([
    ['was locked', [LOCKED, LOCKED, DONE], 3, false],
    ['met a lock of the table', [failure('55P03'), DONE], 2, false],
    ['met a deadlock', [failure('40P01'), DONE], 2, false],
    ['may have been made', [UNKNOWN, DONE], 2, true],
    ['may have been made, and the database is away for a while', [UNKNOWN, failure('ECONNREFUSED'), DONE], 3, true],
  ])('that %s is tried again', async (_, ends, count, isRepeated) => {
    const { make, calls } = change(...ends);
    expect(await new Persistence(5_000).make(make)).toEqual({ result: DONE, isRepeated });
    expect(calls.count).toBe(count);
  });

  it.each([
    ['the database is away', failure('ECONNREFUSED')],
    ['of a bug', failure('42601')],
  ])('fails at once when %s', async (_, error) => {
    const { make, calls } = change(error);
    await expect(new Persistence(5_000).make(make)).rejects.toBe(error);
    expect(calls.count).toBe(1);
  });

  it.each([
    ['nothing was changed, where it is locked', [LOCKED], /Nothing was changed/],
    [
      'it is not known whether it was changed, after an unanswered attempt',
      [UNKNOWN, failure('ECONNREFUSED')],
      /not known.*asking again is safe/,
    ],
    ['it is not known whether it was changed, though it is only locked now', [UNKNOWN, LOCKED], /not known/],
  ])('without an end is answered 503: %s', async (_, ends, message) => {
    const { make } = change(...ends);
    const refusal = { statusCode: 503, name: 'application_error', message: expect.stringMatching(message) };
    await expect(new Persistence(50).make(make)).rejects.toMatchObject(refusal);
  });

  it('uses few connections, and none while it waits', async () => {
    const persistence = new Persistence(5_000);
    let [now, highest] = [0, 0];
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const slow = async () => {
      highest = Math.max(highest, ++now);
      await gate;
      now--;
      return DONE;
    };
    const all = Array.from({ length: 20 }, () => persistence.make(slow));
    await new Promise((resolve) => setImmediate(resolve));
    expect(highest).toBe(4);
    go();
    await Promise.all(all);
    expect(highest).toBe(4);
  });
});
