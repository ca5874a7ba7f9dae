import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import type { SenderPolicy } from '../ports/sender-policy.js';
import { SenderPolicies } from '../send/sender-policies.js';
import { type ClaimedAction, type EmailResult, LostActionError } from '../storage/actions/action.repository.js';
import { EmailActionWorker } from './email-action.worker.js';

type Outcome = Error | undefined;

const failure = (code: string) => Object.assign(new Error('no'), { code });

/** A worker on an action in memory. `outcome`: of the n-th call for an email; undefined is a change. */
function workerOn(
  action: string,
  emails: string[],
  outcome: (email: string, calls: number) => Outcome,
  { before = async () => {}, now = () => 0 }: { before?: () => Promise<void>; now?: () => number } = {},
) {
  const list = [...emails];
  const results: [string, EmailResult][] = [];
  const calls: string[] = [];
  const pauses: number[] = [];
  const options: object[] = [];
  let place = 0;
  const actions = {
    watch: () => () => {},
    claim: async (): Promise<ClaimedAction | undefined> =>
      place < list.length
        ? {
            id: 'x',
            accountId: 'acme',
            action,
            apiKeyId: 'key',
            domainId: null,
            fence: 1,
            place,
            matched: emails.length,
            emails: list.slice(place),
          }
        : undefined,
    advance: async (at: { place: number }, email: string, result: EmailResult) => {
      if (at.place !== place) throw new LostActionError();
      place += 1;
      results.push([email, result]);
      if ('postponed' in result) list.push(email);
    },
    release: async (_claim: ClaimedAction, pause: number) => {
      pauses.push(pause);
    },
  };
  const act = async (email: string) => {
    calls.push(email);
    await before();
    const error = outcome(email, calls.filter((one) => one === email).length);
    if (error) throw error;
  };
  const change = async (
    _account: string,
    email: string,
    _caller: unknown,
    alongside?: (transaction: never) => Promise<void>,
  ) => {
    await act(email);
    await alongside?.(undefined as never);
    return { object: 'email' as const, id: email };
  };
  const resend = async (_account: string, email: string, _request: object, given: object = {}) => {
    await act(email);
    options.push(given);
    return { id: 'copy', replayed: false };
  };
  const worker = new EmailActionWorker(actions, { cancel: change, retry: change }, { resend }, now);
  return { worker, results, calls, pauses, options };
}

const DONE = { done: true };

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('EmailActionWorker', () => {
  it('counts each email once, in its change or behind it', async () => {
    for (const action of ['cancel', 'retry', 'resend']) {
      const { worker, results } = workerOn(action, ['a', 'b'], () => undefined);
      expect(await worker.step()).toBe(true);
      expect(await worker.step()).toBe(false);
      expect(results).toEqual([
        ['a', DONE],
        ['b', DONE],
      ]);
    }
  });

  it('resends in the lane `bulk`, under a key of the action, for the API key that started it', async () => {
    const { worker, options } = workerOn('resend', ['a'], () => undefined);
    await worker.step();
    expect(options).toEqual([
      {
        idempotencyKey: 'email-action:x',
        retention: expect.any(Number),
        isBulk: true,
        key: { apiKeyId: 'key', domainId: undefined },
      },
    ]);
  });

  it('records refusals in a form that can be stored', async () => {
    const { worker, results } = workerOn('resend', ['a', 'b'], (email) =>
      email === 'a' ? ApiError.invalid(`no\0${'x'.repeat(1_000)}`) : undefined,
    );
    await worker.step();
    expect(results).toEqual([
      ['a', { refusal: `no\ufffd${'x'.repeat(497)}` }],
      ['b', DONE],
    ]);
  });

  it.each<[string, SenderPolicy['decide']]>([
    ['decides', () => ({ allowed: false, code: 'domain_unverified', message: 'Verify it, Ann Doe of ann@from.test.' })],
    [
      'throws',
      () => {
        throw new ApiError(403, 'invalid_access', 'ann@from.test may not.');
      },
    ],
  ])('records no words of a sender policy that %s, which an erasure would not find', async (_, decide) => {
    const refused = await Promise.resolve(new SenderPolicies([{ decide }]).check('acme', 'ann@from.test', {})).catch(
      (error: Error) => error,
    );
    const { worker, results } = workerOn('resend', ['a'], () => refused as Error);
    await worker.step();
    expect(results).toEqual([['a', { refusal: expect.stringMatching(/^A sender policy refused it: `[a-z_]+`\.$/) }]]);
  });

  it('records a failure that only one email has', async () => {
    const { worker, results } = workerOn('resend', ['a', 'b'], (email) =>
      email === 'a' ? new TypeError('secret') : undefined,
    );
    await worker.step();
    await worker.step();
    expect(results).toEqual([
      ['a', { postponed: true }],
      ['b', DONE],
      ['a', { refusal: 'Something went wrong on our side. It was recorded.' }],
    ]);
  });

  it.each([
    ['that is locked', ApiError.locked()],
    ['about which a policy does not decide', ApiError.undecided()],
    ['whose statement waits for a lock', failure('55P03')],
  ])('leaves an email %s until the others are done', async (_, error) => {
    const passing = workerOn('cancel', ['a', 'b'], (email, calls) =>
      email === 'a' && calls === 1 ? error : undefined,
    );
    await passing.worker.step();
    await passing.worker.step();
    expect(passing.results).toEqual([
      ['a', { postponed: true }],
      ['b', DONE],
      ['a', DONE],
    ]);
    const lasting = workerOn('cancel', ['a'], () => error);
    await lasting.worker.step();
    await lasting.worker.step();
    expect(lasting.results).toEqual([
      ['a', { postponed: true }],
      ['a', { refusal: expect.stringMatching(/./) }],
    ]);
  });

  it('pauses while the database is away, and goes on where it was', async () => {
    const { worker, results, pauses, calls } = workerOn('cancel', ['a', 'b'], (email, calls) =>
      email === 'b' && calls === 1 ? failure('ECONNREFUSED') : undefined,
    );
    await expect(worker.step()).rejects.toThrow('no');
    await worker.step();
    expect(results).toEqual([
      ['a', DONE],
      ['b', DONE],
    ]);
    expect(calls).toEqual(['a', 'b', 'b']);
    expect(pauses).toEqual([2_000, 0]);
  });

  it('ends a step early when emails take long, so that other actions have their turn', async () => {
    let time = 0;
    const slow = () => {
      time += 1_500;
      return undefined;
    };
    const { worker, results, pauses } = workerOn('resend', ['a', 'b', 'c'], slow, { now: () => time });
    await worker.step();
    expect(results.map(([email]) => email)).toEqual(['a', 'b']);
    await worker.step();
    expect(results.map(([email]) => email)).toEqual(['a', 'b', 'c']);
    expect(pauses).toEqual([0, 0]);
  });

  it('works as soon as it is woken, and ends behind the current email', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let worked = workerOn('cancel', [], () => undefined);
    await new Promise<void>((begun) => {
      const before = () => {
        begun();
        return held;
      };
      worked = workerOn('cancel', ['a', 'b'], () => undefined, { before });
      worked.worker.onApplicationBootstrap();
      worked.worker.wake();
    });
    const { worker, results, calls } = worked;
    let isStopped = false;
    const stopped = worker.beforeApplicationShutdown().then(() => {
      isStopped = true;
    });
    await setImmediate();
    expect([isStopped, results]).toEqual([false, []]);
    release();
    await stopped;
    expect([calls, results]).toEqual([['a'], [['a', DONE]]]);
  });

  it('starts nothing when it is stopped', async () => {
    const { worker, calls } = workerOn('cancel', ['a'], () => undefined);
    await worker.beforeApplicationShutdown();
    worker.wake();
    await worker.beforeApplicationShutdown();
    expect(calls).toEqual([]);
  });
});
