import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import { MessageStages } from '../message/message-stages.js';
import { Observation } from '../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, SmtpReply, TransportSlot } from '../ports/email-transport.js';
import type { MessageStage } from '../ports/message-stage.js';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { DeliveryRepository, Lease, LeaseEnd, LeaseResult } from '../storage/deliver/delivery.repository.js';
import { hopBits } from '../storage/deliver/hop-bits.js';
import type { PermitsStore } from '../storage/deliver/permits.repository.js';
import { DeliveryService } from './delivery.service.js';
import { RecipientPolicies } from './recipient-policies.js';

const TO = ['a@to.test', 'b@to.test'];
const RULES = {
  hop: 'final' as 'final' | 'relay',
  lease: 10_000,
  concurrency: 16,
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
      from: 'a@from.test',
      to: TO,
      cc: [],
      replyTo: [],
      subject: 'Hello',
      html: null,
      text: 'Hello',
      headers: [],
      contentSize: 5,
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
  /** True if the lease still holds when the attempt is written. */
  openAttempts: () => Promise<boolean>;
  /** True if it still holds, and the email is not paused, when it is asked about later. */
  checkAttempts: () => Promise<boolean>;
  rules: Partial<typeof RULES>;
  close: () => boolean;
  /** Makes the transport one that grants slots. */
  acquireSlot: () => Promise<TransportSlot | undefined>;
  verify: () => Promise<void>;
  decide: TopicPolicy['decide'];
  recipientPolicies: readonly RecipientPolicy[];
  messageStages: readonly MessageStage[];
  /** Makes the transport one with a limit. */
  takePermits: PermitsStore['take'];
}

const services: (() => void)[] = [];
afterEach(() => {
  for (const stop of services.splice(0)) stop();
});

/** A service with a storage and a transport of the test's choice, and the calls that these received. */
function serviceOn(
  lease: LeaseResult,
  send: (message: BuiltMessage) => Promise<RecipientOutcome[]>,
  {
    openAttempts = async () => true,
    checkAttempts = async () => true,
    rules = {},
    close,
    acquireSlot,
    decide,
    recipientPolicies,
    messageStages,
    takePermits,
    verify = async () => {},
  }: Partial<World> = {},
) {
  const ends: LeaseEnd[] = [];
  const { hop = RULES.hop } = rules;
  const transport = { hop, send: jest.fn(send), verify: jest.fn(verify), ...(acquireSlot && { acquireSlot }) };
  services.push(() => service.routes.stop());
  const queue = { wake: jest.fn() };
  const announcer = { announce: jest.fn() };
  const failed = jest.fn();
  const repository = {
    lease: jest.fn(async () => [lease]),
    openAttempts: jest.fn((leases: unknown[]) => Promise.all(leases.map(() => openAttempts()))),
    withdrawAttempts: jest.fn(async (leases: unknown[]) => leases.map(() => true)),
    checkAttempts: jest.fn((leases: unknown[]) => Promise.all(leases.map(() => checkAttempts()))),
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
    { transports: [{ transport: transport as never, ...(takePermits && { maxPerSecond: 10 }) }] },
    new RecipientPolicies(decide && ({ decide } as TopicPolicy), recipientPolicies),
    announcer as never,
    new Observation([{ failed }]),
    { ...RULES, ...rules },
    new MessageStages(messageStages),
    takePermits && { take: takePermits },
  );
  return { service, transport, queue, announcer, failed, repository, builder, ends };
}

const fates = (end: LeaseEnd | undefined) => end?.outcomes?.map(({ outcome }) => outcome);
const accept = async ({ recipients }: BuiltMessage) =>
  recipients.map((address): RecipientOutcome => ({ address, outcome: 'accepted', reply: { text: '250 ok' } }));

// Other tests check the log.
beforeAll(() => Logger.overrideLogger(false));

describe('DeliveryService', () => {
  it('sends nothing to the next hop when the lease was lost before the attempt was written', async () => {
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
    ['could not be written because the email was locked', { openAttempts: async () => false }],
    [
      'may be written or not because the connection broke',
      {
        openAttempts: async () => {
          throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
        },
      },
    ],
    ['took so long to write that another worker may have the email', { rules: { lease: 0 } }],
  ])('puts the email off in its former state, and blames no destination, when its attempt %s', async (_, world) => {
    const { service, transport, ends } = serviceOn(leased(), accept, world);
    for (let run = 0; run < 25; run++) await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends).toHaveLength(25);
    for (const end of ends) expect(end).toMatchObject({ lastEvent: 'queued', attempts: 0, events: [], retryIn: 1_000 });
  });

  it('announces nothing and wakes no email when the lease was lost during the attempt', async () => {
    const { service, queue, announcer } = serviceOn(leased(), accept, { close: () => false });
    await service.deliver('id');
    expect(announcer.announce).not.toHaveBeenCalled();
    expect(queue.wake).not.toHaveBeenCalled();
  });

  it('reports an unexpected error, and leaves the email to the next lease', async () => {
    const { service, failed, ends } = serviceOn({} as LeaseResult, accept);
    await expect(service.deliver('id')).rejects.toThrow(TypeError);
    expect(failed.mock.calls).toEqual([[{ emailId: 'id', kind: 'error', reason: 'TypeError' }]]);
    expect(ends).toEqual([]);
  });

  it('records an unknown outcome when the transport fails', async () => {
    const { service, ends } = serviceOn(leased(), () => Promise.reject(new Error('a bug')));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['unknown', 'unknown']);
    expect(ends[0]).toMatchObject({ endUnknown: true, retryIn: 1_000 });
  });

  it('records an unknown outcome for a recipient that the transport does not report', async () => {
    const { service, ends } = serviceOn(leased(), async (message) => (await accept(message)).slice(0, 1));
    await service.deliver('id');
    expect(fates(ends[0])).toEqual(['accepted', 'unknown']);
  });

  it('marks only a message whose worker died as suspect, so that no other follows it', async () => {
    const { service, transport } = serviceOn(leased(), accept, { rules: { hop: 'relay' } });
    await service.deliver('id');
    expect(transport.send.mock.calls[0]?.[0].isSuspect).toBeUndefined();
    const again = serviceOn(leased({ endUnknown: true, lostEnds: 1, sinceLostEnd: 0 }), accept);
    await again.service.deliver('id');
    expect(again.transport.send.mock.calls[0]?.[0].isSuspect).toBe(true);
  });

  it('marks messages to a destination as suspect until that has answered', async () => {
    const accept = async ({ recipients }: BuiltMessage) =>
      recipients.map(
        (address): RecipientOutcome => ({ address, outcome: 'accepted', reply: { code: 250, text: 'ok' } }),
      );
    const { service, transport } = serviceOn(leased(), accept);
    for (let time = 0; time < 2; time++) await service.deliver('id');
    expect(transport.send.mock.calls.map(([{ isSuspect }]) => isSuspect)).toEqual([true, undefined]);
  });

  it('holds an email that may have been sent when the host chose so, without asking the next hop', async () => {
    const { service, transport, ends } = serviceOn(leased({ endUnknown: true }), accept, {
      rules: { onUnknown: 'hold' },
    });
    await service.deliver('id');
    expect(transport.send).not.toHaveBeenCalled();
    expect(ends[0]).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('holds it even when its destination has no free slot: only this run knows about it', async () => {
    const { service, ends } = serviceOn(leased({ endUnknown: true }), accept, {
      rules: { onUnknown: 'hold', destinationConcurrency: 0 },
    });
    await service.deliver('id');
    expect(ends[0]).toMatchObject({ lastEvent: 'failed', retryIn: null });
  });

  it('records the end of an attempt again while PostgreSQL is away', async () => {
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

  it('returns how long an email that is not due has to wait, and leaves a finished one alone', async () => {
    expect(await serviceOn({ kind: 'wait', wait: 700 }, accept).service.deliver('id')).toBe(700);
    expect(await serviceOn({ kind: 'nothing' }, accept).service.deliver('id')).toBeUndefined();
  });
});

describe('DeliveryService at a domain without a free slot', () => {
  it('prepares the email whose turn is near, and gives it the slot as soon as that is free', async () => {
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

describe('DeliveryService at a transport with a limit', () => {
  const reply: SmtpReply = { code: 451, text: '451 later', stage: 'mail' };
  const later = async ({ recipients }: BuiltMessage) =>
    recipients.map((address): RecipientOutcome => ({ address, outcome: 'deferred', reply }));
  const world = () => {
    const grants: (() => void)[] = [];
    const release = jest.fn();
    const slot = { send: later, reopen: async () => {}, release };
    const takePermits = jest.fn<PermitsStore['take']>(async (_, wanted) => ({ granted: wanted, wait: 0 }));
    const acquireSlot = () => new Promise<TransportSlot>((resolve) => grants.push(() => resolve(slot)));
    return { grants, release, takePermits, acquireSlot, rules: { hop: 'relay' as const } };
  };
  const next = () => new Promise((resolve) => setImmediate(resolve));

  it('takes permits when the email has a slot, and none back for a message that was begun', async () => {
    const { grants, takePermits, ...others } = world();
    const { service, ends } = serviceOn(leased(), accept, { takePermits, ...others });
    const delivered = service.deliver('id');
    while (grants.length === 0) await next();
    expect(takePermits).not.toHaveBeenCalled();
    grants[0]?.();
    await delivered;
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    const again = service.deliver('again');
    while (grants.length === 1) await next();
    grants[1]?.();
    await again;
    expect(takePermits.mock.calls.map(([, wanted, , , , unused]) => [wanted, unused.count])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  it('releases the slot when there are no permits, and gives back those of a message that was not begun', async () => {
    const { grants, takePermits, release, ...others } = world();
    takePermits.mockResolvedValueOnce({ granted: 2, wait: 0 }).mockResolvedValueOnce({ granted: 0, wait: 60_000 });
    let isOpen = false;
    const openAttempts = async () => isOpen;
    const { service, ends } = serviceOn(leased(), accept, { takePermits, openAttempts, ...others });
    for (const id of ['no attempt', 'no permits', 'sent']) {
      isOpen = id !== 'no attempt';
      const delivered = service.deliver(id);
      const count = grants.length;
      while (grants.length === count) await next();
      grants.at(-1)?.();
      await delivered;
    }
    expect(release).toHaveBeenCalledTimes(3);
    expect(ends.slice(0, 2)).toEqual(Array(2).fill(expect.objectContaining({ attempts: 0, outcomes: null })));
    expect(takePermits.mock.calls.map(([, , , , , unused]) => unused.count)).toEqual([0, 2, 0]);
  });
});

describe('DeliveryService with an email to several domains', () => {
  const to = (...addresses: string[]) => {
    const result = leased() as Extract<LeaseResult, { kind: 'leased' }>;
    result.lease.email.recipients = addresses.map((address) => ({ address, status: 'pending' }));
    return result;
  };

  it('acquires a slot of none of them while one of them hangs, and makes none look slow', async () => {
    const acquireSlot = jest.fn(async () => slot);
    const hanging: (() => void)[] = [];
    const slot: TransportSlot = {
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
      acquireSlot,
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
    expect(acquireSlot.mock.calls).toEqual([
      [5_000, 'good.test', undefined, expect.any(Number)],
      [5_000, 'good.test,hangs.test', 'slow', expect.any(Number)],
      [30_000, 'good.test', 'quick', expect.any(Number)],
    ]);
    hanging[0]!();
    await several;
  });
});

describe('DeliveryService with a transport that grants no slots', () => {
  const unanswered = async ({ recipients }: BuiltMessage) =>
    recipients.map((address): RecipientOutcome => ({ address, outcome: 'deferred', reply: { text: 'no route' } }));

  it('takes the hop for down when no recipient got a reply and it does not answer', async () => {
    const { service, transport, ends } = serviceOn(leased(), unanswered, {
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    await service.deliver('other');
    expect(transport.send).toHaveBeenCalledTimes(1);
    for (const end of ends)
      expect(end).toMatchObject({ attempts: 0, outcomes: null, waitsFor: `${hopBits(['the next hop'])}` });
  });

  it('counts an attempt when the hop answers but refuses the message', async () => {
    const { service, ends } = serviceOn(leased(), unanswered);
    await service.deliver('id');
    expect(ends[0]).toMatchObject({ attempts: 1 });
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
  });
});

describe('DeliveryService with a transport that grants slots', () => {
  const topical = () => {
    const lease = leased();
    if (lease.kind === 'leased') lease.lease.email.topicId = 'topic';
    return lease;
  };
  const allowed = { allowed: true as const };
  const refused = { allowed: false as const, code: 'opted_out', reason: 'opted out' };
  const past = () => Promise.reject(new Error('Sent without a slot.'));

  /** A slot whose messages end like this, in turn, and then as accepted. */
  function slotWith(...ends: (RecipientOutcome['outcome'] | 'stale')[]) {
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

  const sentThrough = ({ send }: ReturnType<typeof slotWith>) => send.mock.calls.map(([{ recipients }]) => recipients);

  afterEach(() => jest.useRealTimers());

  it('asks, builds and begins an attempt only when its turn has come', async () => {
    const slot = slotWith();
    const happened: string[] = [];
    const { service, builder, repository } = serviceOn(topical(), past, {
      acquireSlot: async () => {
        happened.push('slot');
        return slot;
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
    expect(happened).toEqual(['slot', 'asked', 'built', 'attempt']);
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(sentThrough(slot)).toEqual([['b@to.test']]);
    expect(slot.release).toHaveBeenCalledTimes(1);
  });

  describe('that was prepared early', () => {
    /** An email that is prepared, and gets its slot that much later. */
    const preparedFor = async (milliseconds: number, checkAttempts: () => Promise<boolean>) => {
      const slot = slotWith();
      const clock = jest.spyOn(performance, 'now');
      const world = serviceOn(leased(), past, {
        acquireSlot: async () => slot,
        checkAttempts,
        openAttempts: async () => {
          clock.mockReturnValue(performance.now() + milliseconds);
          return true;
        },
      });
      await world.service.deliver('id');
      clock.mockRestore();
      return { ...world, sent: sentThrough(slot) };
    };

    it('begins within a second after it was asked whether it is paused', async () => {
      const { repository, sent } = await preparedFor(900, async () => true);
      expect(repository.checkAttempts).not.toHaveBeenCalled();
      expect(sent).toEqual([TO]);
    });

    it('is asked about again after that, and begins if it is not paused', async () => {
      const { repository, sent } = await preparedFor(1_001, async () => true);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
      expect(repository.checkAttempts.mock.calls).toEqual([[[expect.objectContaining({ id: 'id', fence: 1 })]]]);
      expect(sent).toEqual([TO]);
    });

    it('withdraws its attempt after a second without a slot, and writes it again when it has one', async () => {
      jest.useFakeTimers();
      const slot = slotWith();
      // In steps, so that work that waits for no timer goes on.
      const pass = async (milliseconds: number) => {
        for (let passed = 0; passed < milliseconds; passed += 50) await jest.advanceTimersByTimeAsync(50);
      };
      const waiting: (() => void)[] = [];
      const { service, repository } = serviceOn(leased(), past, {
        // Two messages are sent at once, so that the turn of the third one is near; it has to wait then.
        acquireSlot: async () => {
          if (repository.lease.mock.calls.length > 2) await new Promise<void>((resolve) => void waiting.push(resolve));
          return slot;
        },
      });
      repository.lease.mockImplementation((async (ids: string[]) =>
        ids.map((id) => {
          const result = leased();
          if (result.kind === 'leased') Object.assign(result.lease.email, { id });
          return result;
        })) as never);
      for (const id of ['first', 'second']) await service.deliver(id);
      const third = service.deliver('third');
      await pass(900);
      expect(repository.openAttempts).toHaveBeenCalledTimes(3);
      expect(repository.withdrawAttempts).not.toHaveBeenCalled();
      await pass(200);
      expect(repository.withdrawAttempts.mock.calls).toEqual([[[expect.objectContaining({ id: 'third', fence: 1 })]]]);
      expect(sentThrough(slot)).toHaveLength(2);
      for (const goOn of waiting) goOn();
      await pass(100);
      await third;
      expect(repository.openAttempts).toHaveBeenCalledTimes(4);
      expect(sentThrough(slot)).toHaveLength(3);
      await pass(5_000);
      expect(repository.withdrawAttempts).toHaveBeenCalledTimes(1);
    });

    it.each([
      ['paused meanwhile', async () => false],
      ['asked about without an answer', () => Promise.reject(new Error('away'))],
    ])('is put off without an attempt when it was %s', async (_, checkAttempts) => {
      const { ends, sent } = await preparedFor(1_001, checkAttempts);
      expect(sent).toEqual([]);
      expect(ends).toEqual([
        expect.objectContaining({ outcomes: null, endUnknown: false, attempts: 0, retryIn: 1_000 }),
      ]);
    });

    it('is put off when the answers come too late again and again', async () => {
      let time = performance.now();
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
      const late = async () => {
        time += 1_001;
        return true;
      };
      const slot = slotWith();
      const world = serviceOn(leased(), past, {
        acquireSlot: async () => slot,
        openAttempts: late,
        checkAttempts: late,
      });
      await world.service.deliver('id');
      clock.mockRestore();
      expect(world.repository.checkAttempts).toHaveBeenCalledTimes(2);
      expect(sentThrough(slot)).toEqual([]);
      expect(world.ends).toEqual([expect.objectContaining({ outcomes: null, retryIn: 1_000 })]);
    });
  });

  describe('and message stages', () => {
    const built = async (_: unknown, recipients: string[]) =>
      ({ recipients, from: 'a@from.test', raw: Buffer.from('A: b\r\n\r\n') }) as never;
    const withAttachment = () => {
      const lease = topical();
      if (lease.kind === 'leased') Object.assign(lease.lease.email, { attachments: [{ size: 1_000_000 }] });
      return lease;
    };

    it.each([
      ['an email', topical()],
      ['a large email', withAttachment()],
    ])('applies them once to %s before it acquires a slot, and asks again when that took long', async (_, lease) => {
      const slot = slotWith();
      const happened: string[] = [];
      const clock = jest.spyOn(performance, 'now');
      const { service, builder } = serviceOn(lease, past, {
        acquireSlot: async () => {
          happened.push('slot');
          clock.mockReturnValue(performance.now() + 1_001);
          return slot;
        },
        decide: async () => {
          happened.push('asked');
          return [allowed, allowed];
        },
        messageStages: [{ apply: () => void happened.push('staged') }],
      });
      builder.build.mockImplementation(built);
      await service.deliver('id');
      clock.mockRestore();
      expect(happened).toEqual(['asked', 'staged', 'slot', 'asked']);
      expect(sentThrough(slot)).toEqual([TO]);
    });

    it('puts the email off after three seconds without a result, and acquires no slot for it', async () => {
      jest.useFakeTimers();
      const acquireSlot = jest.fn(async () => slotWith());
      const world = { acquireSlot, rules: { destinationConcurrency: 1 } };
      const { service, builder, repository, failed, ends } = serviceOn(leased(), past, {
        ...world,
        messageStages: [{ apply: ({ emailId }) => (emailId === 'hangs' ? new Promise(() => {}) : undefined) }],
      });
      const emailOf = async (ids: string[]) =>
        ids.map((id) => {
          const result = leased();
          if (result.kind === 'leased') Object.assign(result.lease.email, { id });
          return result;
        });
      repository.lease.mockImplementation(emailOf as never);
      builder.build.mockImplementation(built);
      const hanging = service.deliver('hangs');
      const other = service.deliver('other');
      await jest.advanceTimersByTimeAsync(1_000);
      await other;
      expect(ends.map(fates)).toEqual([['accepted', 'accepted']]);
      expect(acquireSlot).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(2_000);
      await hanging;
      expect(failed.mock.calls).toEqual([[{ emailId: 'hangs', kind: 'message', reason: 'StageTooSlow' }]]);
      expect(fates(ends[1])).toEqual(['deferred', 'deferred']);
      expect(acquireSlot).toHaveBeenCalledTimes(1);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    });
  });

  describe('and messages that take long to build', () => {
    const leasedWith = (some: object) => {
      const lease = leased();
      if (lease.kind === 'leased') Object.assign(lease.lease.email, some);
      return lease;
    };
    const html = '<b>word</b>'.repeat(8_000);
    const unread = { html: null, text: null, isHtmlOnly: true, contentSize: html.length };
    const headers = Array.from({ length: 100 }, (_, at) => [`X-${at}`, 'é'.repeat(490)]);

    it.each([
      ['long html', unread],
      ['long html and a large attachment', { ...unread, attachments: [{ size: 1_000_000 }] }],
      ['html that needs memory of its own', { ...unread, contentSize: 500_000 }],
      ['short html with many tags', { ...unread, html: '<b>word</b>'.repeat(200), contentSize: 2_200 }],
      ['many headers', { headers }],
    ])('builds that of %s before it acquires a slot', async (_, some) => {
      const happened: string[] = [];
      const slot = slotWith();
      const { service, repository, builder } = serviceOn(leasedWith(some), past, {
        rules: { hop: 'relay' },
        acquireSlot: async () => {
          happened.push('slot');
          return slot;
        },
      });
      const content = jest.fn(async () => ({ html: html.repeat(6), text: null }));
      Object.assign(repository, { content });
      builder.build.mockImplementation(async (_email, recipients) => {
        happened.push('built');
        return { recipients };
      });
      await service.deliver('id');
      expect(happened).toEqual(['built', 'slot']);
      expect(sentThrough(slot)).toEqual([TO]);
      expect(content.mock.calls).toHaveLength('html' in some && some.html === null ? 1 : 0);
    });

    it('records that the message of an email with corrupt headers could not be made', async () => {
      const { service, builder, failed, ends } = serviceOn(leasedWith({ id: 'id', headers: 'none' }), past, {
        acquireSlot: async () => slotWith(),
      });
      builder.build.mockRejectedValue(new TypeError('headers'));
      await service.deliver('id');
      expect(failed.mock.calls).toEqual([[{ emailId: 'id', kind: 'message', reason: 'TypeError' }]]);
      expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    });

    it('puts off an email of an account that has too many of them, unread, in its former state, and no other email', async () => {
      const lease = leasedWith(unread);
      const { service, repository, builder, ends } = serviceOn(lease, past, { acquireSlot: async () => slotWith() });
      const content = jest.fn(async () => ({ html, text: null }));
      Object.assign(repository, { content });
      const builds: (() => void)[] = [];
      builder.build.mockImplementation(async (_email, recipients) => {
        await new Promise<void>((resolve) => builds.push(resolve));
        return { recipients };
      });
      repository.lease.mockImplementation((async (ids: string[]) => ids.map(() => lease)) as never);
      const delivered = ['1', '2', '3'].map((id) => service.deliver(id));
      await delivered[2];
      expect(ends).toEqual([expect.objectContaining({ attempts: 0, outcomes: null, events: [] })]);
      expect(ends[0]?.retryIn).toBeGreaterThan(0);
      expect(builds).toHaveLength(2);
      expect(content).toHaveBeenCalledTimes(2);

      const ordinary = leased();
      repository.lease.mockImplementation(async () => [ordinary]);
      builder.build.mockImplementation(async (_email, recipients) => ({ recipients }));
      await service.deliver('4');
      expect(fates(ends[1])).toEqual(['accepted', 'accepted']);
      for (const end of builds) end();
      await Promise.all(delivered);
      expect(ends).toHaveLength(4);
    });
  });

  it('asks again when the attempt took long to write, and skips recipients that opted out meanwhile', async () => {
    jest.useFakeTimers();
    const slot = slotWith();
    const answers = [
      [allowed, allowed],
      [allowed, refused],
    ];
    const { service, ends } = serviceOn(topical(), past, {
      acquireSlot: async () => slot,
      decide: async () => answers.shift() ?? [],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(sentThrough(slot)).toEqual([['a@to.test']]);
    expect(ends[0]?.recipients).toEqual([
      { address: 'a@to.test', status: 'delivered' },
      { address: 'b@to.test', status: 'refused' },
    ]);
  });

  it('ends the written attempt when no recipient is left by then', async () => {
    jest.useFakeTimers();
    const slot = slotWith();
    const answers = [
      [allowed, allowed],
      [refused, refused],
    ];
    const { service, repository, ends } = serviceOn(topical(), past, {
      acquireSlot: async () => slot,
      decide: async () => answers.shift() ?? [],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(slot.send).not.toHaveBeenCalled();
    expect(slot.release).toHaveBeenCalledTimes(1);
    expect(ends[0]).toMatchObject({ id: 'id', fence: 1, lastEvent: 'failed', retryIn: null, outcomes: null });
  });

  it('puts the email off when a policy never answers, and releases the slot', async () => {
    jest.useFakeTimers();
    const slot = slotWith();
    const { service, ends } = serviceOn(topical(), past, {
      acquireSlot: async () => slot,
      decide: () => new Promise(() => {}),
    });
    const delivered = service.deliver('id');
    await jest.advanceTimersByTimeAsync(3_000);
    await delivered;
    expect(slot.send).not.toHaveBeenCalled();
    expect(slot.release).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
  });

  it('skips recipients that a recipient policy refuses, also without a topic, and records why', async () => {
    const slot = slotWith();
    const { service, announcer, ends } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      recipientPolicies: [{ decide: async () => [{ allowed: false, code: 'not_here' }, allowed] }],
    });
    await service.deliver('id');
    expect(sentThrough(slot)).toEqual([['b@to.test']]);
    expect(ends[0]?.recipients).toEqual([
      { address: 'a@to.test', status: 'refused' },
      { address: 'b@to.test', status: 'delivered' },
    ]);
    const refusal = { type: 'failed', recipient: 'a@to.test', reason: 'not_here', reasonCode: 'not_here' };
    const recorded = { accountId: 'account', emailId: 'id', ...refusal };
    expect(announcer.announce).toHaveBeenCalledWith(expect.arrayContaining([recorded]));
  });

  it('asks recipient policies again when the attempt took long to write, without a topic too', async () => {
    jest.useFakeTimers();
    const slot = slotWith();
    const answers = [
      [allowed, allowed],
      [allowed, refused],
    ];
    const { service } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      recipientPolicies: [{ decide: async () => answers.shift() ?? [] }],
      openAttempts: async () => {
        jest.advanceTimersByTime(1_001);
        return true;
      },
    });
    await service.deliver('id');
    expect(sentThrough(slot)).toEqual([['a@to.test']]);
  });

  it.each<[string, RecipientPolicy['decide'], string]>([
    ['fails', () => Promise.reject(new RangeError('secret')), 'RangeError'],
    ['gives no answer', async () => [allowed], 'InvalidPolicyAnswer'],
  ])('puts the email off when a recipient policy %s, and refuses no recipient', async (_, decide, name) => {
    const slot = slotWith();
    const { service, ends, failed } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      recipientPolicies: [{ decide }],
    });
    await service.deliver('id');
    expect(failed.mock.calls).toEqual([[expect.objectContaining({ kind: 'policy', reason: name })]]);
    expect(slot.send).not.toHaveBeenCalled();
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    expect(ends[0]?.outcomes?.[0]?.reply).toEqual({
      text: `The message could not be made: ${name}`,
      reasonCode: 'message_not_made',
    });
    expect(ends[0]?.events.map(({ type }) => type)).toEqual(['delivery_delayed', 'delivery_delayed']);
  });

  it('gives up on recipient policies that take three seconds together', async () => {
    jest.useFakeTimers();
    const slow = {
      decide: jest.fn<RecipientPolicy['decide']>(
        () => new Promise((resolve) => setTimeout(() => resolve([allowed, allowed]), 2_000)),
      ),
    };
    const slot = slotWith();
    const { service, ends } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      recipientPolicies: [slow, slow, slow],
    });
    const delivered = service.deliver('id');
    await jest.advanceTimersByTimeAsync(3_000);
    await delivered;
    expect(fates(ends[0])).toEqual(['deferred', 'deferred']);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(slow.decide).toHaveBeenCalledTimes(2);
    expect(slot.send).not.toHaveBeenCalled();
  });

  it('is tried later, without an attempt, when it got no slot', async () => {
    const { service, repository, ends } = serviceOn(leased(), past, { acquireSlot: async () => undefined });
    await service.deliver('id');
    expect(repository.openAttempts).not.toHaveBeenCalled();
    expect(ends[0]).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
  });

  describe('when slots are released quickly', () => {
    /** A service one of whose emails got a slot just now. `granted` settles the slot of the next. */
    async function busyService(world: Partial<World> = {}) {
      const slot = slotWith();
      const grants: ((slot?: TransportSlot) => void)[] = [];
      let waits = false;
      const made = serviceOn(topical(), past, {
        acquireSlot: () => (waits ? new Promise((resolve) => grants.push(resolve)) : Promise.resolve(slot)),
        decide: async () => [allowed, allowed],
        ...world,
      });
      await made.service.deliver('first');
      waits = true;
      jest.clearAllMocks();
      const delivered = made.service.deliver('second');
      await turns();
      return { ...made, slot, grant: (granted?: TransportSlot) => grants.shift()?.(granted), delivered };
    }

    const turns = async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    };

    it('prepares everything while it waits, and sends in the same turn in which it gets its slot', async () => {
      const { repository, builder, slot, grant, delivered } = await busyService();
      expect(builder.build).toHaveBeenCalledTimes(1);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
      expect(slot.send).not.toHaveBeenCalled();
      grant(slot);
      await new Promise(process.nextTick);
      expect(sentThrough(slot)).toEqual([TO]);
      await delivered;
      expect(builder.build).toHaveBeenCalledTimes(1);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    });

    it('asks again when its slot came late, and skips recipients that opted out meanwhile', async () => {
      const clock = jest.spyOn(performance, 'now');
      const answers = [
        [allowed, allowed],
        [allowed, allowed],
        [allowed, refused],
      ];
      const { repository, slot, grant, delivered } = await busyService({ decide: async () => answers.shift() ?? [] });
      const late = performance.now() + 1_001;
      clock.mockReturnValue(late);
      grant(slot);
      await delivered;
      clock.mockRestore();
      expect(sentThrough(slot)).toEqual([['a@to.test']]);
      expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    });

    it.each<[string, TransportSlot | undefined]>([
      ['no slot came', undefined],
      ['the lease did not last', slotWith()],
    ])('is put off in its former state when %s, and its written attempt is closed', async (_, granted) => {
      const { ends, grant, delivered } = await busyService({ rules: { lease: granted ? 0 : 10_000 } });
      grant(granted);
      await delivered;
      expect(ends.at(-1)).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
      if (granted) expect(granted.send).not.toHaveBeenCalled();
    });

    it('releases the slot unused when no recipient is left', async () => {
      const answers = [[allowed, allowed]];
      const { ends, slot, grant, delivered, repository } = await busyService({
        decide: async () => answers.shift() ?? [refused, refused],
      });
      grant(slot);
      await delivered;
      expect(repository.openAttempts).not.toHaveBeenCalled();
      expect(slot.send).not.toHaveBeenCalled();
      expect(slot.release).toHaveBeenCalledTimes(1);
      expect(ends.at(-1)).toMatchObject({ lastEvent: 'failed', retryIn: null, outcomes: null });
    });
  });

  it('lets an email without a connection wait for the hop, without an attempt, and the next one too', async () => {
    const acquireSlot = jest.fn(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const { service, repository, queue, ends, failed } = serviceOn(leased(), past, {
      acquireSlot,
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    jest.useFakeTimers();
    const other = service.deliver('other');
    await jest.advanceTimersByTimeAsync(900);
    // Another process may reach the hop.
    expect(repository.lease).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(200);
    await other;
    expect(acquireSlot).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(repository.openAttempts).not.toHaveBeenCalled();
    expect(queue.wake).not.toHaveBeenCalled();
    for (const end of ends) {
      expect(end).toMatchObject({
        attempts: 0,
        outcomes: null,
        retryIn: 1_000,
        waitsFor: `${hopBits(['the next hop'])}`,
      });
      expect(end.events.map(({ type, reason }) => [type, reason])).toEqual(
        TO.map(() => ['delivery_delayed', 'connect ECONNREFUSED']),
      );
    }
  });

  it('tries again soon, and records nothing, when a hop that just answered refuses one more connection', async () => {
    const slot = slotWith();
    const grants = [async () => slot, () => Promise.reject(new Error('421 too many'))];
    const { service, ends } = serviceOn(leased(), past, {
      acquireSlot: () => grants.shift()?.() ?? Promise.resolve(undefined),
    });
    await service.deliver('first');
    await service.deliver('second');
    expect(ends[1]).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, events: [] });
    expect(ends[1]).not.toHaveProperty('waitsFor');
  });

  it('releases waiting emails when one began to wait just as the hop came back', async () => {
    let answer = () => {};
    const { service, repository } = serviceOn(leased(), past, {
      acquireSlot: () => Promise.reject(new Error('away')),
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

  it('reopens a stale connection and sends, and asks again when reopening took long', async () => {
    jest.useFakeTimers();
    const slot = slotWith('stale');
    slot.reopen.mockImplementation(async () => {
      jest.advanceTimersByTime(1_001);
    });
    const answers = [
      [allowed, allowed],
      [refused, allowed],
    ];
    const { service, repository, ends } = serviceOn(topical(), past, {
      acquireSlot: async () => slot,
      decide: async () => answers.shift() ?? [],
    });
    await service.deliver('id');
    expect(sentThrough(slot)).toEqual([['a@to.test', 'b@to.test'], ['b@to.test']]);
    expect(repository.openAttempts).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(['accepted']);
    expect(slot.release).toHaveBeenCalledTimes(1);
  });

  it.each<[string, ReturnType<typeof slotWith>, Error | undefined]>([
    ['counts an attempt when the new connection is stale too', slotWith('stale', 'stale'), undefined],
    ['makes it wait for the hop when none can be opened', slotWith('stale'), new Error('connect ECONNREFUSED')],
  ])('puts the email off, and %s', async (_, slot, error) => {
    if (error) slot.reopen.mockRejectedValue(error);
    const { service, ends } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      verify: () => Promise.reject(new Error('away')),
    });
    await service.deliver('id');
    expect(slot.reopen).toHaveBeenCalledTimes(1);
    expect(fates(ends[0])).toEqual(error ? undefined : ['deferred', 'deferred']);
    expect(ends[0]?.attempts).toBe(error ? 0 : 1);
    expect(slot.release).toHaveBeenCalledTimes(1);
  });

  it('releases the slot when the lease was lost', async () => {
    const slot = slotWith();
    const { service, ends } = serviceOn(leased(), past, {
      acquireSlot: async () => slot,
      openAttempts: async () => false,
    });
    await service.deliver('id');
    expect(slot.send).not.toHaveBeenCalled();
    expect(slot.release).toHaveBeenCalledTimes(1);
    expect(ends).toMatchObject([{ lastEvent: 'queued', attempts: 0, outcomes: null }]);
  });
});

describe('a limit of the sender', () => {
  const refusing =
    (outcome: 'rejected' | 'deferred', text: string) =>
    async ({ recipients }: BuiltMessage) =>
      recipients.map(
        (address): RecipientOutcome => ({
          ...{ address, outcome },
          reply: { code: Number(text.slice(0, 3)), text, stage: 'dot' },
        }),
      );

  it('is none where a relay quotes it from the email: that one bounces, and others of its account are sent', async () => {
    const subject = 'Form: daily sending quota exceeded';
    const lease = leased() as Extract<LeaseResult, { kind: 'leased' }>;
    Object.assign(lease.lease.email, { subject });
    const refused = refusing('rejected', `554 5.7.1 Message refused by filter. Subject was ${subject}`);
    const { service, transport, ends } = serviceOn(lease, refused, { rules: { hop: 'relay' } });
    await service.deliver('first');
    expect(ends[0]).toMatchObject({ attempts: 1, retryIn: null, lastEvent: 'bounced' });
    expect(ends[0]?.events.map(({ reasonCode }) => reasonCode)).toEqual(TO.map(() => 'policy_rejected'));
    await service.deliver('second');
    expect(transport.send).toHaveBeenCalledTimes(2);
  });

  it('delays the email that finds its pause, which is recorded once, and ends it with its schedule', async () => {
    const lease = leased() as Extract<LeaseResult, { kind: 'leased' }>;
    const { email } = lease.lease;
    const refused = refusing('deferred', '454 4.7.0 Throttling failure: Daily message quota exceeded');
    const { service, transport, ends } = serviceOn(lease, refused, { rules: { hop: 'relay' } });
    await service.deliver('first');
    await service.deliver('second');
    expect(ends[1]).toMatchObject({ attempts: 0, retryIn: 1_000, outcomes: null, lastEvent: 'delivery_delayed' });
    expect(ends[1]?.events.map(({ type, reasonCode }) => [type, reasonCode])).toEqual(
      TO.map(() => ['delivery_delayed', 'sender_limit']),
    );
    Object.assign(email, { recipients: ends[1]?.recipients, age: 500 });
    await service.deliver('second');
    expect(ends[2]).toMatchObject({ attempts: 0, retryIn: 500, events: [] });
    Object.assign(email, { age: 1_000 });
    await service.deliver('second');
    expect(ends[3]).toMatchObject({ attempts: 0, retryIn: null, lastEvent: 'failed' });
    expect(ends[3]?.events.map(({ reasonCode }) => reasonCode)).toEqual(TO.map(() => 'expired'));
    expect(transport.send).toHaveBeenCalledTimes(1);
  });
});
