import { jest } from '@jest/globals';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { NextHop } from './next-hop.js';

const outcome = (kind: RecipientOutcome['outcome'], reply: SmtpReply = { text: '' }): RecipientOutcome[] => [
  { address: 'a@to.test', outcome: kind, reply },
];
const OK = outcome('accepted', { code: 250, text: '250 ok' });
const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET' });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function hopWith(verify: () => Promise<void>, acquireSlot: object = { acquireSlot: async () => undefined }) {
  const clock = { now: 0 };
  const waiting = { release: jest.fn(async (mayGoOn: () => boolean) => void mayGoOn()) };
  const failures = { unreached: jest.fn(), isAway: jest.fn(), reached: jest.fn() };
  const observation = { nextHop: jest.fn() };
  const transport = { nextHop: 'mx.test:25', hop: 'relay', verify: jest.fn(verify), ...acquireSlot } as never;
  const hop = new NextHop('mx.test:25', transport, waiting, failures, observation, () => clock.now);
  return { hop, clock, waiting, failures, observation };
}
const away = () => Promise.reject(AWAY);

const EMAIL = {
  ...{ accountId: 'account', from: 'a@from.test', to: [], cc: [], replyTo: [], subject: '', headers: [] },
  ...{ recipients: [], attachments: [] },
};

describe('NextHop', () => {
  it.each([
    ['relay', 2_000],
    ['final', 0],
  ])('as a %s, pauses for %i ms at a limit of the sender', (kind, pause) => {
    const { hop } = hopWith(async () => {}, { hop: kind });
    const reply = { code: 454, text: '454 Throttling failure: Maximum sending rate exceeded' };
    hop.attempted(EMAIL, [{ address: 'a@to.test', outcome: 'deferred', reply }]);
    expect(hop.pauseOf('account')).toBe(pause);
  });

  it('is down without a connection, reports it once, and is back with the first answer to its probe', async () => {
    let isBack = false;
    const { hop, waiting, failures, observation } = hopWith(async () => {
      if (!isBack) throw AWAY;
    });
    for (let n = 0; n < 3; n++) hop.unreached('email', AWAY);
    expect(hop.down).toEqual({
      name: 'mx.test:25',
      reply: { text: 'connect ECONNREFUSED', error: 'ESOCKET' },
    });
    expect(failures.unreached).toHaveBeenCalledTimes(3);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(failures.isAway).toHaveBeenLastCalledWith(hop.down?.reply);
    expect(waiting.release).not.toHaveBeenCalled();
    isBack = true;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(hop.down).toBeUndefined();
    expect(waiting.release).toHaveBeenCalledTimes(1);
    expect(failures.reached).toHaveBeenCalledTimes(1);
    expect(observation.nextHop.mock.calls).toEqual([
      [{ nextHop: 'mx.test:25', isUp: false }],
      [{ nextHop: 'mx.test:25', isUp: true }],
    ]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is back when a message is answered', () => {
    const { hop, waiting } = hopWith(away);
    hop.unreached('email', AWAY);
    hop.attempted(EMAIL, outcome('deferred', { code: 421, text: '421 closing' }));
    hop.attempted(EMAIL, outcome('unknown'));
    expect(hop.down).toBeDefined();
    hop.attempted(EMAIL, outcome('rejected', { code: 550, text: '550 no' }));
    expect(hop.down).toBeUndefined();
    expect(waiting.release).toHaveBeenCalledTimes(1);
  });

  it('is awaited until it is back, for a limited time, or until it is stopped', async () => {
    const { hop } = hopWith(away);
    const waited: string[] = [];
    const wait = (who: string) => hop.backWithin(1_000).then(() => void waited.push(who));
    await wait('up');
    hop.unreached('email', AWAY);
    void wait('in vain');
    await jest.advanceTimersByTimeAsync(999);
    expect(waited).toEqual(['up']);
    await jest.advanceTimersByTimeAsync(1);
    const back = wait('back');
    hop.attempted(EMAIL, OK);
    await back;
    await jest.advanceTimersByTimeAsync(1_000);
    hop.unreached('email', AWAY);
    const stopped = wait('stopped');
    hop.stop();
    await stopped;
    expect(waited).toEqual(['up', 'in vain', 'back', 'stopped']);
  });

  it('is not down while it answers others: only one more connection was refused', () => {
    const { hop, clock } = hopWith(away);
    hop.attempted(EMAIL, OK);
    clock.now = 999;
    hop.unreached('email', AWAY);
    expect(hop.down).toBeUndefined();
    clock.now = 1_000;
    hop.unreached('email', AWAY);
    expect(hop.down).toBeDefined();
    hop.stop();
  });

  it('asks nothing after it is stopped, and releases nothing', async () => {
    const { hop, waiting } = hopWith(away);
    hop.stop();
    hop.unreached('email', AWAY);
    await hop.goOn();
    expect(jest.getTimerCount()).toBe(0);
    expect(waiting.release.mock.calls[0]?.[0]()).toBe(false);
  });

  it.each<[string, RecipientOutcome[], boolean]>([
    ['no recipient got a reply', outcome('deferred'), true],
    ['one got a reply', [...outcome('deferred'), ...outcome('deferred', { code: 451, text: '451' })], false],
    ['something may have been sent', outcome('unknown'), false],
    ['it was refused', outcome('rejected'), false],
    ['there was no recipient', [], false],
  ])('is in doubt without slots only where no recipient got a reply: %s', (_, outcomes, isInDoubt) => {
    expect(hopWith(away, {}).hop.isInDoubt(outcomes)).toBe(isInDoubt);
    expect(hopWith(away).hop.isInDoubt(outcomes)).toBe(false);
  });

  it('is asked once for all emails that are in doubt', async () => {
    const verify = jest.fn(away);
    const { hop, failures } = hopWith(verify, {});
    expect(await Promise.all([hop.answers('one'), hop.answers('other')])).toEqual([false, false]);
    // The second call is the first of its probe.
    expect(verify).toHaveBeenCalledTimes(2);
    expect(failures.unreached.mock.calls.map(([id]) => id)).toEqual(['one', 'other']);
    hop.stop();
  });

  it('is asked with a time limit whether it is down', async () => {
    const { hop } = hopWith(() => new Promise(() => {}), {});
    const asked = hop.answers('email');
    await jest.advanceTimersByTimeAsync(10_000);
    await asked;
    expect(hop.down?.reply).toEqual({ text: 'No answer.', error: 'ETIMEDOUT' });
    hop.stop();
  });
});
