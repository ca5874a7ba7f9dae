import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { jest } from '@jest/globals';
import type { RecipientOutcome } from '../ports/email-transport.js';
import { type DeliveryStep, probe, probed, probedOutcomes } from './delivery-probe.js';

const CHANNEL = 'nestjs-emails:delivery';
const MOVE: DeliveryStep = { step: 'move', emailId: 'id', fence: 1, transport: 'one' };

const published: unknown[] = [];
const listener = (step: unknown) => void published.push(step);

afterEach(() => {
  unsubscribe(CHANNEL, listener);
  published.length = 0;
});

describe('without subscribers', () => {
  it('makes no step', async () => {
    const stepOf = jest.fn(() => MOVE);
    probe(stepOf);
    const work = Promise.resolve(1);
    expect(probed(work, stepOf)).toBe(work);
    await work;
    expect(stepOf).not.toHaveBeenCalled();
  });
});

describe('with a subscriber', () => {
  beforeEach(() => subscribe(CHANNEL, listener));

  it('publishes a step', () => {
    probe(() => MOVE);
    expect(published).toEqual([MOVE]);
  });

  it('publishes a decided step with its result, and the time before it', async () => {
    const before = performance.now();
    const work = Promise.resolve([]);
    const after = probed(work, (from, events) => ({
      step: 'settlement',
      emailId: 'id',
      fence: 1,
      recorded: events.length === 0,
      from,
    }));
    expect(published).toEqual([]);
    expect(await after).toEqual([]);
    expect(published).toEqual([
      { step: 'settlement', emailId: 'id', fence: 1, recorded: true, from: expect.any(Number) },
    ]);
    const [{ from }] = published as [{ from: number }];
    expect(from).toBeGreaterThanOrEqual(before);
    expect(from).toBeLessThanOrEqual(performance.now());
  });

  it('publishes nothing for work that fails, or has no step', async () => {
    await expect(probed(Promise.reject(new Error('failed')), () => MOVE)).rejects.toThrow('failed');
    expect(await probed(Promise.resolve(false), () => undefined)).toBe(false);
    expect(published).toEqual([]);
  });
});

describe('outcomes', () => {
  const outcome = (kind: RecipientOutcome['outcome'], reply: Partial<RecipientOutcome['reply']>): RecipientOutcome => ({
    address: 'to@to.test',
    outcome: kind,
    reply: { text: 'said to to@to.test', ...reply },
  });

  it.each([
    ['accepted', outcome('accepted', { code: 250 }), { kind: 'accepted' }],
    ['unknown', outcome('unknown', {}), { kind: 'unknown' }],
    ['refused for a time', outcome('deferred', { code: 451, stage: 'dot' }), { kind: 'refused', stage: 'dot' }],
    ['refused', outcome('rejected', { code: 550, stage: 'rcpt' }), { kind: 'refused', stage: 'rcpt' }],
    ['refused at MAIL', outcome('deferred', { code: 451, stage: 'mail' }), { kind: 'without verdict', stage: 'mail' }],
    ['never sent', outcome('deferred', { stage: 'data' }), { kind: 'without verdict' }],
  ])('have neither addresses nor texts: %s', (_, given, expected) => {
    expect(probedOutcomes([given])).toEqual([expected]);
    expect(JSON.stringify(probedOutcomes([given]))).not.toContain('to.test');
  });
});
