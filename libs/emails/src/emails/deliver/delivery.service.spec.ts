import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import { Observation } from '../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, TransportPlace } from '../ports/email-transport.js';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { DeliveryRepository, Lease, LeaseEnd, LeaseResult } from '../storage/delivery.repository.js';
import { DeliveryService } from './delivery.service.js';
import { RecipientPolicies } from './recipient-policies.js';

const TO = ['a@to.test', 'b@to.test'];
const RULES = {
  hop: 'final' as 'final' | 'relay',
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
      age: 0,
      date: new Date(),
      contentSize: 0,
      attachments: [],
      recipients: TO.map((address) => ({ address, status: 'pending' })),
    } as unknown as Lease['email'],
    fence: 1,
    started: null,
    endUnknown: false,
    lostEnds: 0,
    sinceLostEnd: null,
    ...some,
  },
});

interface World {
  /** Whether the lease still holds when the attempt is written. */
  openAttempts: () => Promise<boolean>;
  rules: Partial<typeof RULES>;
  close: () => boolean;
  /** Makes the transport one that grants places. */
  takePlace: () => Promise<TransportPlace | undefined>;
  verify: () => Promise<void>;
  decide: TopicPolicy['decide'];
  recipientPolicies: readonly RecipientPolicy[];
}

const services: (() => void)[] = [];
afterEach(() => {
  for (const stop of services.splice(0)) stop();
});

/** A service on a storage and a transport of the test's choice, with what they were told. */
function serviceOn(
  lease: LeaseResult,
  send: (message: BuiltMessage) => Promise<RecipientOutcome[]>,
  {
    openAttempts = async () => true,
    rules = {},
    close,
    takePlace,
    decide,
    recipientPolicies,
    verify = async () => {},
  }: Partial<World> = {},
) {
  const ends: LeaseEnd[] = [];
  const transport = { send: jest.fn(send), verify: jest.fn(verify), ...(takePlace && { takePlace }) };
  services.push(() => service.hop.stop());
  const queue = { wake: jest.fn() };
  const announcer = { announce: jest.fn() };
  const failed = jest.fn();
  const repository = {
    lease: jest.fn(async () => [lease]),
    openAttempts: jest.fn((leases: unknown[]) => Promise.all(leases.map(() => openAttempts()))),
    release: jest.fn(async () => ({ emails: [], more: false })),
    extend: async (leases: unknown[]) => leases.map(() => 'done'),
    close: async (closed: LeaseEnd[]) => {
      const kept = close?.() ?? true;
      ends.push(...closed);
      return closed.map(({ events }) => (kept ? events : 'lost'));
    },
  };
  const builder = { build: jest.fn(async (_: unknown, recipients: string[]) => ({ recipients })) };
  const service = new DeliveryService(
    repository as unknown as DeliveryRepository,
    queue as never,
    builder as never,
    transport as never,
    new RecipientPolicies(decide && ({ decide } as TopicPolicy), recipientPolicies),
    announcer as never,
    new Observation([{ failed }]),
    { ...RULES, ...rules },
  );
  return { service, transport, queue, announcer, failed, repository, builder, ends };
}

const fates = (end: LeaseEnd | undefined) => end?.outcomes?.map(({ outcome }) => outcome);
const accept = async ({ recipients }: BuiltMessage) =>
  recipients.map((address): RecipientOutcome => ({ address, outcome: 'accepted', reply: { text: '250 ok' } }));

// What it says is looked at elsewhere.
beforeAll(() => Logger.overrideLogger(false));

describe('DeliveryService', () => {
  it('says nothing to the next hop when the lease was lost before the attempt could be written', async () => {
    const { service, transport, queue, announcer } = serviceOn(leased(), accept, {
      openAttempts: async () => false,
      close: () => false,
    });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(announcer.announce).not.toHaveBeenCalled();
    expect(queue.wake).not.toHaveBeenCalled();
  });

  it.each([
    ['could not be written, as somebody had the email locked', { openAttempts: async () => false }],
    [
      'may be written or not, as the connection broke',
      {
        openAttempts: async () => {
          throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
        },
      },
    ],
    ['took so long to write that others may have the email', { rules: { lease: 0 } }],
  ])('puts the email off as it was, and blames no destination, when its attempt %s', async (_, world) => {
    const { service, transport, ends } = serviceOn(leased(), accept, world);
    for (let run = 0; run < 25; run++) await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends).toHaveLength(25);
    for (const end of ends) expect(end).toMatchObject({ lastEvent: 'queued', attempts: 0, events: [], retryIn: 1_000 });
  });

  it('announces nothing and wakes nobody when the lease was lost during the attempt', async () => {
    const { service, queue, announcer } = serviceOn(leased(), accept, { close: () => false });
    await service.deliver('id');
    expect(announcer.announce).not.toHaveBeenCalled();
    expect(queue.wake).not.toHaveBeenCalled();
  });

  it('tells of an error that nobody thought of, and leaves the email to the next lease', async () => {
    const { service, failed, ends } = serviceOn({} as LeaseResult, accept);
    await expect(service.deliver('id')).rejects.toThrow(TypeError);
    expect(failed.mock.calls).toEqual([[{ emailId: 'id', kind: 'error', reason: 'TypeError' }]]);
    expect(ends).toEqual([]);
  });

  it('takes a transport that fails for one whose end nobody saw', async () => {
    const { service, ends } = serviceOn(leased(), () => Promise.reject(new Error('a bug')));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['unknown', 'unknown']);
    expect(ends[0]).toMatchObject({ endUnknown: true, retryIn: 1_000 });
  });

  it('takes a recipient that the transport says nothing of for unknown', async () => {
    const { service, ends } = serviceOn(leased(), async (message) => (await accept(message)).slice(0, 1));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['accepted', 'unknown']);
  });

  it('calls what was sent when a worker died suspect, so that no other goes behind it, and nothing else', async () => {
    const { service, transport } = serviceOn(leased(), accept, { rules: { hop: 'relay' } });
    await service.deliver('id');
    expect(transport.send.mock.calls[0]?.[0].isSuspect).toBeUndefined();
    const again = serviceOn(leased({ endUnknown: true, lostEnds: 1, sinceLostEnd: 0 }), accept);
    await again.service.deliver('id');
    expect(again.transport.send.mock.calls[0]?.[0].isSuspect).toBe(true);
  });

  it('calls what goes to a destination suspect, too, until that has answered', async () => {
    const taken = async ({ recipients }: BuiltMessage) =>
      recipients.map(
        (address): RecipientOutcome => ({ address, outcome: 'accepted', reply: { code: 250, text: 'ok' } }),
      );
    const { service, transport } = serviceOn(leased(), taken);
    for (let time = 0; time < 2; time++) await service.deliver('id');
    expect(transport.send.mock.calls.map(([{ isSuspect }]) => isSuspect)).toEqual([true, undefined]);
  });

  it('holds what may have been sent when the host chose so, without a word to the next hop', async () => {
    const { service, transport, ends } = serviceOn(leased({ endUnknown: true }), accept, {
      rules: { onUnknown: 'hold' },
    });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends[0]).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('holds it also when its destination has no place free: this is the only run that knows', async () => {
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

describe('DeliveryService at a domain whose slots are taken', () => {
  it('prepares the email whose turn is near, which takes the slot as soon as it is free', async () => {
    const answers: (() => void)[] = [];
    const { service, transport, repository, builder } = serviceOn(
      leased(),
      (message) => new Promise((resolve) => answers.push(() => resolve(accept(message)))),
      { rules: { destinationConcurrency: 1 } },
    );
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    const delivered: Promise<unknown>[] = [];
    for (const id of ['first', 'second', 'third', 'fourth']) {
      delivered.push(service.deliver(id));
      await until(() => repository.lease.mock.calls.length === delivered.length);
    }
    for (const sent of [1, 2]) {
      await until(() => transport.send.mock.calls.length === sent);
      expect(builder.build).toHaveBeenCalledTimes(sent);
      answers.shift()!();
    }
    await until(() => transport.send.mock.calls.length === 3 && builder.build.mock.calls.length === 4);
    expect(answers).toHaveLength(1);
    answers.shift()!();
    await until(() => transport.send.mock.calls.length === 4);
    answers.shift()!();
    await Promise.all(delivered);
    expect(builder.build).toHaveBeenCalledTimes(4);
    expect(repository.openAttempts.mock.calls.flatMap(([leases]) => leases)).toHaveLength(4);
  });
});

describe('DeliveryService with an email to several domains', () => {
  const to = (...addresses: string[]) => {
    const result = leased() as Extract<LeaseResult, { kind: 'leased' }>;
    result.lease.email.recipients = addresses.map((address) => ({ address, status: 'pending' }));
    return result;
  };

  it('takes a slot of none of them while one of them hangs, and makes none look slow', async () => {
    const takePlace = jest.fn(async () => place);
    const hanging: (() => void)[] = [];
    const place: TransportPlace = {
      send: ({ recipients }) =>
        recipients.some((address) => address.endsWith('@hangs.test'))
          ? new Promise((resolve) => hanging.push(() => resolve('stale')))
          : Promise.resolve(
              recipients.map((address) => ({ address, outcome: 'accepted', reply: { code: 250, text: 'ok' } })),
            ),
      reopen: () => Promise.reject(new Error('closed')),
      release: () => {},
    };
    const { service, repository, ends } = serviceOn(leased(), accept, {
      takePlace,
      rules: { destinationConcurrency: 1 },
    });
    repository.lease.mockImplementation(async () => [to('a@good.test')]);
    await service.deliver('first');
    repository.lease.mockImplementation(async () => [to('a@good.test', 'b@hangs.test')]);
    const several = service.deliver('several');
    while (hanging.length === 0) await new Promise((resolve) => setImmediate(resolve));
    repository.lease.mockImplementation(async () => [to('b@good.test')]);
    await service.deliver('alone');
    expect(ends.map(fates)).toEqual([['accepted'], ['accepted']]);
    expect(takePlace.mock.calls).toEqual([
      [5_000, 'good.test', undefined],
      [5_000, 'good.test,hangs.test', 'slow'],
      [30_000, 'good.test', 'quick'],
    ]);
    hanging[0]!();
    await several;
  });
});

describe('DeliveryService with a transport that grants no places', () => {
  const unanswered = async ({ recipients }: BuiltMessage) =>
    recipients.map((address): RecipientOutcome => ({ address, outcome: 'deferred', reply: { text: 'no route' } }));

  it('takes the hop for down when nobody was told anything and it does not answer', async () => {
    const { service, transport, ends } = serviceOn(leased(), unanswered, {
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    await service.deliver('other');
    expect(transport.send).toHaveBeenCalledTimes(1);
    for (const end of ends) expect(end).toMatchObject({ attempts: 0, outcomes: null, waitsFor: 'the next hop' });
  });

  it('counts an attempt whose message the hop does not like, though it answers', async () => {
    const { service, ends } = serviceOn(leased(), unanswered);
    await service.deliver('id');
    expect(ends[0]).toMatchObject({ attempts: 1 });
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
  });
});

describe('DeliveryService with a transport that grants places', () => {
  const topical = () => {
    const lease = leased();
    if (lease.kind === 'leased') lease.lease.email.topicId = 'topic';
    return lease;
  };
  const allowed = { allowed: true as const };
  const refused = { allowed: false as const, code: 'opted_out', reason: 'opted out' };
  const past = () => Promise.reject(new Error('Sent past the places.'));

  /** A place where each message ends like this, in turn, and then as accepted. */
  function placeWhere(...ends: (RecipientOutcome['outcome'] | 'stale')[]) {
    return {
      send: jest.fn(async ({ recipients }: BuiltMessage) => {
        const outcome = ends.shift() ?? 'accepted';
        if (outcome === 'stale') return outcome;
        return recipients.map((address): RecipientOutcome => ({ address, outcome, reply: { text: outcome } }));
      }),
      reopen: jest.fn(async () => {}),
      release: jest.fn(),
    };
  }

  const sentAt = ({ send }: ReturnType<typeof placeWhere>) => send.mock.calls.map(([{ recipients }]) => recipients);

  afterEach(() => jest.useRealTimers());

  it('asks, builds and begins an attempt only when its turn has come', async () => {
    const place = placeWhere();
    const happened: string[] = [];
    const { service, builder, repository } = serviceOn(topical(), past, {
      takePlace: async () => {
        happened.push('place');
        return place;
      },
      decide: async () => {
        happened.push('asked');
        return [refused, allowed];
      },
      openAttempts: async () => {
        happened.push('attempt');
        return true;
      },
    });
    builder.build.mockImplementation(async (_, recipients) => {
      happened.push('built');
      return { recipients };
    });
    await service.deliver('id');
    expect(happened).toEqual(['place', 'asked', 'built', 'attempt']);
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(sentAt(place)).toEqual([['b@to.test']]);
    expect(place.release).toHaveBeenCalledTimes(1);
  });

  it('asks again when the attempt took long to write, and tells nobody who opted out meanwhile', async () => {
    jest.useFakeTimers();
    const place = placeWhere();
    const answers = [
      [allowed, allowed],
      [allowed, refused],
    ];
    const { service, ends } = serviceOn(topical(), past, {
      takePlace: async () => place,
      decide: async () => answers.shift() ?? [],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(sentAt(place)).toEqual([['a@to.test']]);
    expect(ends[0]?.recipients).toEqual([
      { address: 'a@to.test', status: 'delivered' },
      { address: 'b@to.test', status: 'suppressed' },
    ]);
  });

  it('ends the attempt that was written when nobody is left by then', async () => {
    jest.useFakeTimers();
    const place = placeWhere();
    const answers = [
      [allowed, allowed],
      [refused, refused],
    ];
    const { service, repository, ends } = serviceOn(topical(), past, {
      takePlace: async () => place,
      decide: async () => answers.shift() ?? [],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(place.send).not.toHaveBeenCalled();
    expect(place.release).toHaveBeenCalledTimes(1);
    expect(ends[0]).toMatchObject({ id: 'id', fence: 1, lastEvent: 'failed', retryIn: null, outcomes: null });
  });

  it('puts the email off when a policy never answers, and gives the place back', async () => {
    jest.useFakeTimers();
    const place = placeWhere();
    const { service, ends } = serviceOn(topical(), past, {
      takePlace: async () => place,
      decide: () => new Promise(() => {}),
    });
    const delivered = service.deliver('id');
    await jest.advanceTimersByTimeAsync(3_000);
    await delivered;
    expect(place.send).not.toHaveBeenCalled();
    expect(place.release).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
  });

  it('keeps back whom a recipient policy refuses, of an email without a topic too, and says why', async () => {
    const place = placeWhere();
    const { service, announcer, ends } = serviceOn(leased(), past, {
      takePlace: async () => place,
      recipientPolicies: [{ decide: async () => [{ allowed: false, code: 'not_here' }, allowed] }],
    });
    await service.deliver('id');
    expect(sentAt(place)).toEqual([['b@to.test']]);
    expect(ends[0]?.recipients).toEqual([
      { address: 'a@to.test', status: 'suppressed' },
      { address: 'b@to.test', status: 'delivered' },
    ]);
    const refusal = { type: 'failed', recipient: 'a@to.test', reason: 'not_here' };
    const recorded = { accountId: 'account', emailId: 'id', ...refusal };
    expect(announcer.announce).toHaveBeenCalledWith(expect.arrayContaining([recorded]));
  });

  it('asks recipient policies again when the attempt took long to write, without a topic too', async () => {
    jest.useFakeTimers();
    const place = placeWhere();
    const answers = [
      [allowed, allowed],
      [allowed, refused],
    ];
    const { service } = serviceOn(leased(), past, {
      takePlace: async () => place,
      recipientPolicies: [{ decide: async () => answers.shift() ?? [] }],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(sentAt(place)).toEqual([['a@to.test']]);
  });

  it.each<[string, RecipientPolicy['decide'], string]>([
    ['fails', () => Promise.reject(new RangeError('secret')), 'RangeError'],
    ['gives no answer', async () => [allowed], 'InvalidPolicyAnswer'],
  ])('puts the email off when a recipient policy %s, and refuses nobody', async (_, decide, name) => {
    const place = placeWhere();
    const { service, ends, failed } = serviceOn(leased(), past, {
      takePlace: async () => place,
      recipientPolicies: [{ decide }],
    });
    await service.deliver('id');
    expect(failed.mock.calls).toEqual([[expect.objectContaining({ kind: 'policy', reason: name })]]);
    expect(place.send).not.toHaveBeenCalled();
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    expect(ends[0]?.outcomes?.[0]?.reply).toEqual({ text: `The message could not be made: ${name}` });
    expect(ends[0]?.events.map(({ type }) => type)).toEqual(['delivery_delayed', 'delivery_delayed']);
  });

  it('gives up on recipient policies that take three seconds together', async () => {
    jest.useFakeTimers();
    const slow = {
      decide: jest.fn<RecipientPolicy['decide']>(
        () => new Promise((resolve) => setTimeout(() => resolve([allowed, allowed]), 2_000)),
      ),
    };
    const place = placeWhere();
    const { service, ends } = serviceOn(leased(), past, {
      takePlace: async () => place,
      recipientPolicies: [slow, slow, slow],
    });
    const delivered = service.deliver('id');
    await jest.advanceTimersByTimeAsync(3_000);
    await delivered;
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(slow.decide).toHaveBeenCalledTimes(2);
    expect(place.send).not.toHaveBeenCalled();
  });

  it('comes back later when it got no place, without an attempt', async () => {
    const { service, repository, ends } = serviceOn(leased(), past, { takePlace: async () => undefined });
    await service.deliver('id');
    expect(repository.openAttempts).not.toHaveBeenCalled();
    expect(ends[0]).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
  });

  describe('when places come back quickly', () => {
    /** A service one of whose emails got a place just now, and how the place of the next is granted. */
    async function busyService(world: Partial<World> = {}) {
      const place = placeWhere();
      const grants: ((place?: TransportPlace) => void)[] = [];
      let waits = false;
      const made = serviceOn(topical(), past, {
        takePlace: () => (waits ? new Promise((resolve) => grants.push(resolve)) : Promise.resolve(place)),
        decide: async () => [allowed, allowed],
        ...world,
      });
      await made.service.deliver('first');
      waits = true;
      jest.clearAllMocks();
      const delivered = made.service.deliver('second');
      await turns();
      return { ...made, place, grant: (granted?: TransportPlace) => grants.shift()?.(granted), delivered };
    }

    const turns = async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    };

    it('prepares all while it waits, and sends in the turn in which its place comes', async () => {
      const { repository, builder, place, grant, delivered } = await busyService();
      expect(builder.build).toHaveBeenCalledTimes(1);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
      expect(place.send).not.toHaveBeenCalled();
      grant(place);
      await new Promise(process.nextTick);
      expect(sentAt(place)).toEqual([TO]);
      await delivered;
      expect(builder.build).toHaveBeenCalledTimes(1);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    });

    it('asks again when its place came late, and tells nobody who opted out meanwhile', async () => {
      const clock = jest.spyOn(performance, 'now');
      const answers = [
        [allowed, allowed],
        [allowed, allowed],
        [allowed, refused],
      ];
      const { repository, place, grant, delivered } = await busyService({ decide: async () => answers.shift() ?? [] });
      const late = performance.now() + 1_001;
      clock.mockReturnValue(late);
      grant(place);
      await delivered;
      clock.mockRestore();
      expect(sentAt(place)).toEqual([['a@to.test']]);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    });

    it.each<[string, TransportPlace | undefined]>([
      ['there is none after all', undefined],
      ['the lease did not last', placeWhere()],
    ])('comes back as it was when %s, with the attempt that was written at an end', async (_, granted) => {
      const { ends, grant, delivered } = await busyService({ rules: { lease: granted ? 0 : 10_000 } });
      grant(granted);
      await delivered;
      expect(ends.at(-1)).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
      if (granted) expect(granted.send).not.toHaveBeenCalled();
    });

    it('gives the place back unused when nobody is left to send to', async () => {
      const answers = [[allowed, allowed]];
      const { ends, place, grant, delivered, repository } = await busyService({
        decide: async () => answers.shift() ?? [refused, refused],
      });
      grant(place);
      await delivered;
      expect(repository.openAttempts).not.toHaveBeenCalled();
      expect(place.send).not.toHaveBeenCalled();
      expect(place.release).toHaveBeenCalledTimes(1);
      expect(ends.at(-1)).toMatchObject({ lastEvent: 'failed', retryIn: null, outcomes: null });
    });
  });

  it('lets an email that finds no connection wait for the hop without an attempt, and the next without asking', async () => {
    const takePlace = jest.fn(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const { service, repository, queue, ends, failed } = serviceOn(leased(), past, {
      takePlace,
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    jest.useFakeTimers();
    const other = service.deliver('other');
    await jest.advanceTimersByTimeAsync(900);
    // Another process may reach it.
    expect(repository.lease).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(200);
    await other;
    expect(takePlace).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(repository.openAttempts).not.toHaveBeenCalled();
    expect(queue.wake).not.toHaveBeenCalled();
    for (const end of ends) {
      expect(end).toMatchObject({ attempts: 0, outcomes: null, retryIn: 1_000, waitsFor: 'the next hop' });
      expect(end.events.map(({ type, reason }) => [type, reason])).toEqual(
        TO.map(() => ['delivery_delayed', 'connect ECONNREFUSED']),
      );
    }
  });

  it('tries again soon, with nothing recorded, when a connection more is refused by a hop that has just answered', async () => {
    const place = placeWhere();
    const grants = [async () => place, () => Promise.reject(new Error('421 too many'))];
    const { service, ends } = serviceOn(leased(), past, {
      takePlace: () => grants.shift()?.() ?? Promise.resolve(undefined),
    });
    await service.deliver('first');
    await service.deliver('second');
    expect(ends[1]).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
    expect(ends[1]).not.toHaveProperty('waitsFor');
  });

  it('lets what waits go on when an email came to wait just as the hop came back', async () => {
    let answer = () => {};
    const { service, repository } = serviceOn(leased(), past, {
      takePlace: () => Promise.reject(new Error('away')),
      verify: () => new Promise((resolve) => (answer = resolve)),
      close: () => {
        answer();
        return true;
      },
    });
    await service.deliver('id');
    await new Promise(setImmediate);
    expect(repository.release).toHaveBeenCalled();
  });

  it('sends on a connection opened anew when the one it had was stale, and asks again when that took long', async () => {
    jest.useFakeTimers();
    const place = placeWhere('stale');
    place.reopen.mockImplementation(async () => {
      jest.advanceTimersByTime(1_001);
    });
    const answers = [
      [allowed, allowed],
      [refused, allowed],
    ];
    const { service, repository, ends } = serviceOn(topical(), past, {
      takePlace: async () => place,
      decide: async () => answers.shift() ?? [],
    });
    await service.deliver('id');
    expect(sentAt(place)).toEqual([['a@to.test', 'b@to.test'], ['b@to.test']]);
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(['accepted']);
    expect(place.release).toHaveBeenCalledTimes(1);
  });

  it.each<[string, ReturnType<typeof placeWhere>, Error | undefined]>([
    ['counts an attempt when the new one is stale too', placeWhere('stale', 'stale'), undefined],
    ['lets it wait when none can be opened', placeWhere('stale'), new Error('connect ECONNREFUSED')],
  ])('puts the email off, and %s', async (_, place, error) => {
    if (error) place.reopen.mockRejectedValue(error);
    const { service, ends } = serviceOn(leased(), past, {
      takePlace: async () => place,
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    expect(place.reopen).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(error ? undefined : ['deferred', 'deferred']);
    expect(ends[0]?.attempts).toBe(error ? 0 : 1);
    expect(place.release).toHaveBeenCalledTimes(1);
  });

  it('gives the place back when the lease was lost', async () => {
    const place = placeWhere();
    const { service, ends } = serviceOn(leased(), past, {
      takePlace: async () => place,
      openAttempts: async () => false,
    });
    await service.deliver('id');
    expect(place.send).not.toHaveBeenCalled();
    expect(place.release).toHaveBeenCalledTimes(1);
    expect(ends).toMatchObject([{ lastEvent: 'queued', attempts: 0, outcomes: null }]);
  });
});
