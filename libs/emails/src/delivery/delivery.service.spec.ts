import { jest } from '@jest/globals';
import { Observation } from '../observation/observation.js';
import type { BuiltMessage, RecipientOutcome } from '../ports/email-transport.js';
import type { DeliveryRepository, Lease, LeaseEnd, LeaseResult } from '../storage/delivery.repository.js';
import { DeliveryService } from './delivery.service.js';
import { RetryPolicy } from './retry-policy.js';

const TO = ['a@to.test', 'b@to.test'];
const RULES = {
  hop: 'final' as const,
  lease: 10_000,
  onUnknown: 'retry' as 'retry' | 'hold',
  retryPolicy: new RetryPolicy([1_000], () => 0),
  destinationConcurrency: 10,
};

const leased = (some: Partial<Lease> = {}): LeaseResult => ({
  kind: 'leased',
  lease: {
    email: {
      accountId: 'account',
      topicId: null,
      attempts: 0,
      date: new Date(),
      contentSize: 0,
      recipients: TO.map((address) => ({ address, status: 'pending' })),
    } as unknown as Lease['email'],
    fence: 1,
    started: false,
    endUnknown: false,
    lostEnds: 0,
    sinceLostEnd: null,
    ...some,
  },
});

/** A service on a storage and a transport of the test's choice, with what they were told. */
function serviceOn(
  lease: LeaseResult,
  send: (message: BuiltMessage) => Promise<RecipientOutcome[]>,
  { holds = true, rules = {}, close }: { holds?: boolean; rules?: Partial<typeof RULES>; close?: () => boolean } = {},
) {
  const ends: LeaseEnd[] = [];
  const transport = { send: jest.fn(send) };
  const queue = { hint: jest.fn() };
  const announcer = { announce: jest.fn() };
  const repository = {
    lease: async () => [lease],
    openAttempts: async () => [holds],
    extend: async (leases: unknown[]) => leases.map(() => 'done'),
    close: async (closed: LeaseEnd[]) => {
      const kept = close?.() ?? true;
      ends.push(...closed);
      return closed.map(() => (kept ? 'done' : 'lost'));
    },
  };
  const builder = { build: async (_: unknown, recipients: string[]) => ({ recipients }) };
  const service = new DeliveryService(
    repository as unknown as DeliveryRepository,
    queue as never,
    builder as never,
    transport as never,
    undefined,
    announcer as never,
    new Observation([]),
    { ...RULES, ...rules },
  );
  return { service, transport, queue, announcer, ends };
}

const fates = (end: LeaseEnd | undefined) => end?.outcomes?.map(({ outcome }) => outcome);
const accept = async ({ recipients }: BuiltMessage) =>
  recipients.map((address): RecipientOutcome => ({ address, outcome: 'accepted', reply: { text: '250 ok' } }));

describe('DeliveryService', () => {
  it('says nothing to the next hop when the lease was lost before the attempt could be written', async () => {
    const { service, transport, ends } = serviceOn(leased(), accept, { holds: false });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends).toEqual([]);
  });

  it('announces nothing and hints nothing when the lease was lost during the attempt', async () => {
    const { service, queue, announcer } = serviceOn(leased(), accept, { close: () => false });
    await service.deliver('id');
    expect(announcer.announce).not.toHaveBeenCalled();
    expect(queue.hint).not.toHaveBeenCalled();
  });

  it('takes a transport that fails for one whose end nobody saw', async () => {
    const { service, ends } = serviceOn(leased(), () => Promise.reject(new Error('a bug')));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['unknown', 'unknown']);
    expect(ends[0]).toMatchObject({ endUnknown: true, retryIn: 1_000 });
  });

  it('says nothing to the next hop when the attempt took so long to write that others may have the email', async () => {
    const { service, transport, ends } = serviceOn(leased(), accept, { rules: { lease: 0 } });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
  });

  it('takes a recipient that the transport says nothing of for unknown', async () => {
    const { service, ends } = serviceOn(leased(), async (message) => (await accept(message)).slice(0, 1));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['accepted', 'unknown']);
  });

  it('holds what may have been sent when the host chose so, without a word to the next hop', async () => {
    const { service, transport, ends } = serviceOn(leased({ endUnknown: true }), accept, {
      rules: { onUnknown: 'hold' },
    });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends[0]).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('holds it also when its destination has no place free: this is the only turn that knows', async () => {
    const { service, ends } = serviceOn(leased({ endUnknown: true }), accept, {
      rules: { onUnknown: 'hold', destinationConcurrency: 0 },
    });
    await service.deliver('id');
    expect(ends[0]).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('offers the end of an attempt again while PostgreSQL is away', async () => {
    let failures = 2;
    const { service, transport, ends } = serviceOn(leased(), accept, {
      close: () => {
        if (failures-- > 0) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        return true;
      },
    });
    await service.deliver('id');
    expect(transport.send).toHaveBeenCalledTimes(1);
    expect(ends).toHaveLength(1);
  });

  it('works on an email once, however many jobs ask for it at the same time', async () => {
    const { service, transport } = serviceOn(leased(), accept);
    await Promise.all([service.deliver('id'), service.deliver('id'), service.deliver('id')]);
    expect(transport.send).toHaveBeenCalledTimes(1);
  });

  it('says how long an email that is not due has to wait, and leaves a finished one alone', async () => {
    expect(await serviceOn({ kind: 'wait', wait: 700 }, accept).service.deliver('id')).toBe(700);
    expect(await serviceOn({ kind: 'nothing' }, accept).service.deliver('id')).toBeUndefined();
  });
});
