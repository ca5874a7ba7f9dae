import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RetryPolicy } from '../../../shared/work/retry-policy.js';
import { Observation } from '../../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, TransportSlot } from '../../ports/email-transport.js';
import type { RecipientPolicy } from '../../ports/recipient-policy.js';
import type { RecipientState } from '../../states/recipient-state.js';
import type {
  EndedMessage,
  EndedOutcome,
  Lease,
  NewAttempt,
  SplitEnd,
} from '../../storage/deliver/delivery.repository.js';
import { DeliveryService } from '../delivery.service.js';
import { DomainLimiter } from '../domain-limiter.js';
import { RecipientPolicies } from '../recipient-policies.js';

const RULES = {
  hop: 'final' as 'final' | 'relay',
  lease: 10_000,
  concurrency: 16,
  onUnknown: 'retry' as 'retry' | 'hold',
  retryPolicy: new RetryPolicy([1_000, 60_000], () => 0),
  destinationConcurrency: 10,
  recipientsPerMessage: 1 as const,
  isRedirected: false,
};

const pending = (address: string): RecipientState => ({ address, status: 'pending' });
const delayed = (address: string, some: Partial<RecipientState> = {}): RecipientState => ({
  address,
  status: 'delivery_delayed',
  ...some,
});
const TO = ['a@one.test', 'b@two.test', 'c@one.test'];

function leaseOf(recipients: readonly RecipientState[], some: Partial<Lease> = {}, attempts = 0): Lease {
  const email = {
    id: 'id',
    accountId: 'account',
    topicId: null,
    attempts,
    age: 10_000,
    dueFor: 5,
    date: new Date(),
    from: 'a@from.test',
    to: recipients.map(({ address }) => address),
    cc: [],
    replyTo: [],
    subject: 'Hello',
    html: null,
    text: 'Hello',
    headers: [],
    contentSize: 5,
    attachments: [],
    recipients,
  } as unknown as Lease['email'];
  return { email, fence: 1, started: null, endUnknown: false, lostEnds: 0, sinceLostEnd: null, ...some };
}

interface World {
  rules?: Partial<typeof RULES>;
  /** The reply to the message of an address. Default: accepted. */
  outcomeOf?: (address: string) => Partial<RecipientOutcome> | undefined;
  open?: (attempt: NewAttempt) => Promise<boolean>;
  acquireSlot?: () => Promise<TransportSlot | undefined>;
  policies?: readonly RecipientPolicy[];
}

const services: DeliveryService[] = [];
afterEach(() => {
  for (const service of services.splice(0)) service.routes.stop();
});

/** Delivers an email under this lease, and returns everything that was written and sent. */
async function deliver(lease: Lease, { rules, outcomeOf, open, acquireSlot, policies }: World = {}) {
  const opened: NewAttempt[] = [];
  const notes: EndedMessage[] = [];
  const ends: SplitEnd[] = [];
  const built: { recipients: readonly string[]; hidden: ReadonlySet<string>; email: unknown }[] = [];
  const content = jest.fn(async () => ({ html: '<p>Hello</p>', text: null }));
  const repository = {
    lease: async () => [{ kind: 'leased', lease }],
    content,
    openAttempts: async (attempts: NewAttempt[]) => {
      opened.push(...attempts);
      return Promise.all(attempts.map((attempt) => open?.(attempt) ?? true));
    },
    noteOutcomes: async (messages: EndedMessage[]) => void notes.push(...messages),
    extend: async (leases: unknown[]) => leases.map(() => 'done'),
    closeSplit: async (closed: SplitEnd[]) => {
      ends.push(...closed);
      return closed.map(({ events }) => events);
    },
  };
  const send = jest.fn(async ({ recipients }: BuiltMessage) =>
    recipients.map((address) => ({
      address,
      outcome: 'accepted' as const,
      reply: { code: 250, text: 'ok' },
      ...outcomeOf?.(address),
    })),
  );
  const verify = async () => {
    throw new Error('away');
  };
  const queue = { wake: jest.fn() };
  const service = new DeliveryService(
    repository as never,
    queue as never,
    {
      build: async (email: unknown, recipients: readonly string[], hidden: ReadonlySet<string>) => {
        built.push({ recipients, hidden, email });
        return { recipients };
      },
    } as never,
    {
      transports: [
        { transport: { hop: { ...RULES, ...rules }.hop, send, verify, ...(acquireSlot && { acquireSlot }) } as never },
      ],
    },
    new RecipientPolicies(undefined, policies),
    { announce: () => {} } as never,
    new Observation([]),
    { ...RULES, ...rules },
  );
  services.push(service);
  await service.deliver('id');
  const sent = send.mock.calls.map(([{ recipients }]) => recipients.join());
  return { end: ends[0] as SplitEnd, ends, sent, opened, notes, built, content, queue };
}

const statesOf = ({ recipients }: SplitEnd) => recipients.map(({ status }) => status);

// Other tests check the log.
beforeAll(() => Logger.overrideLogger(false));

describe('SplitRun', () => {
  it('sends one message for each recipient, and settles them together', async () => {
    const { end, ends, sent, opened, notes, built } = await deliver(leaseOf(TO.map(pending)));
    expect(sent).toEqual(TO);
    expect(opened.map(({ id, fence, message }) => [id, fence, message])).toEqual([1, 2, 3].map((n) => ['id', 1, n]));
    // The outcome of the last one is written with the end.
    expect(notes.map(({ message, outcomes }) => [message, outcomes[0]?.address])).toEqual([
      [1, TO[0]],
      [2, TO[1]],
    ]);
    expect(ends).toHaveLength(1);
    expect(end).toMatchObject({ lastEvent: 'delivered', attempts: 1, retryIn: null, outcomes: null });
    expect(end.messages.map(({ message }) => message)).toEqual([1, 2, 3]);
    expect(end.events.map(({ type, recipient, attempt }) => [type, recipient, attempt])).toEqual(
      TO.flatMap((to) => [
        ['sent', to, 1],
        ['delivered', to, 1],
      ]),
    );
    // The same object, so that a message without differences is built once.
    expect(new Set(built.map(({ email }) => email)).size).toBe(1);
  });

  it('keeps with each recipient that its message was redirected', async () => {
    const outcomeOf = (address: string) => (address === TO[1] ? ({ outcome: 'deferred' } as const) : undefined);
    const { end } = await deliver(leaseOf(TO.map(pending)), { rules: { isRedirected: true }, outcomeOf });
    expect(end.recipients).toMatchObject(TO.map((address) => ({ address, redirected: true })));
    expect(end.recipients[1]).toMatchObject({ status: 'delivery_delayed', attempts: 1, retryAge: expect.any(Number) });
    const { end: other } = await deliver(leaseOf(TO.map(pending)), { outcomeOf });
    for (const recipient of other.recipients) expect(recipient).not.toHaveProperty('redirected');
  });

  it.each([
    [20_000, 1],
    [260_000, 3],
  ])(
    'reads content of %i bytes that was not read with the lease %i times, for three recipients',
    async (contentSize, times) => {
      const lease = leaseOf(TO.map(pending));
      Object.assign(lease.email, { text: null, isHtmlOnly: true, contentSize });
      const { sent, built, content } = await deliver(lease);
      expect(sent).toEqual(TO);
      expect(content).toHaveBeenCalledTimes(times);
      expect(new Set(built.map(({ email }) => email)).size).toBe(times);
      for (const { email } of built) expect(email).toMatchObject({ html: '<p>Hello</p>' });
    },
  );

  it('asks the policies about all recipients at once, and shows none that they refuse', async () => {
    const decide = jest.fn(async ({ addresses }: { addresses: readonly string[] }) =>
      addresses.map((address) =>
        address === TO[2] ? ({ allowed: false, code: 'no' } as const) : ({ allowed: true } as const),
      ),
    );
    const { end, sent, built } = await deliver(leaseOf(TO.map(pending)), { policies: [{ decide }] });
    expect(decide).toHaveBeenCalledTimes(1);
    expect(decide.mock.calls[0]?.[0].addresses).toEqual(TO);
    expect(sent).toEqual(TO.slice(0, 2));
    for (const { hidden } of built) expect([...hidden]).toEqual([TO[2]]);
    expect(statesOf(end)).toEqual(['delivered', 'delivered', 'refused']);
  });

  it('keeps for each recipient how often and when it is tried', async () => {
    const outcomeOf = (address: string) =>
      address === TO[1] ? { outcome: 'deferred' as const, reply: { code: 451, text: 'later' } } : undefined;
    const recipients = [pending('a@one.test'), delayed('b@two.test', { attempts: 1, retryAge: 9_000 })];
    const { end } = await deliver(leaseOf(recipients, {}, 1), { outcomeOf });
    expect(end.recipients).toEqual([
      { address: 'a@one.test', status: 'delivered' },
      { address: 'b@two.test', status: 'delivery_delayed', attempts: 2, retryAge: expect.any(Number) },
    ]);
    expect(end.recipients[1]?.retryAge).toBeGreaterThanOrEqual(70_000);
    expect(end.retryIn).toBeGreaterThan(59_000);
    const last = await deliver(leaseOf([pending(TO[0] as string), delayed(TO[1] as string, { attempts: 2 })]), {
      outcomeOf,
    });
    expect(statesOf(last.end)).toEqual(['delivered', 'failed']);
    expect(last.end.events.at(-1)).toMatchObject({ type: 'failed', reasonCode: 'expired', attempt: 3 });
  });

  it('tries the recipients whose time has come, and all of them if none has', async () => {
    const later = delayed('b@two.test', { attempts: 1, retryAge: 20_000 });
    const some = await deliver(leaseOf([pending('a@one.test'), later]));
    expect(some.sent).toEqual(['a@one.test']);
    expect(some.end.recipients[1]).toBe(later);
    expect(some.end.retryIn).toBeGreaterThan(9_000);
    expect(some.end.retryIn).toBeLessThanOrEqual(10_000);
    expect((await deliver(leaseOf([later, { ...later, address: 'c@two.test' }]))).sent).toHaveLength(2);
  });

  it('sends nothing more once an attempt could not be written, and continues after a second', async () => {
    const open = async ({ message }: NewAttempt) => {
      if (message === 2) throw new Error('away');
      return true;
    };
    const { end, sent } = await deliver(leaseOf(TO.map(pending)), { open });
    expect(sent).toEqual([TO[0]]);
    expect(statesOf(end)).toEqual(['delivered', 'pending', 'pending']);
    expect(end.retryIn).toBeGreaterThan(900);
  });

  it('writes an attempt again whose lease was locked for a moment', async () => {
    let tries = 0;
    const open = async ({ message }: NewAttempt) => message !== 2 || ++tries > 1;
    const { sent } = await deliver(leaseOf(TO.map(pending)), { open });
    expect(sent).toEqual(TO);
  });

  it('leaves the others to the next lease when a relay has no slot', async () => {
    let slots = 1;
    const acquireSlot = jest.fn(async () =>
      slots-- > 0
        ? {
            send: async ({ recipients }: BuiltMessage) =>
              recipients.map((address) => ({ address, outcome: 'accepted' as const, reply: { text: 'ok' } })),
            reopen: async () => {},
            release: () => {},
          }
        : undefined,
    );
    const { end } = await deliver(leaseOf(TO.map(pending)), { acquireSlot, rules: { hop: 'relay' } });
    expect(acquireSlot).toHaveBeenCalledTimes(2);
    expect(statesOf(end)).toEqual(['sent', 'pending', 'pending']);
    expect(end).toMatchObject({ attempts: 1, retryIn: expect.any(Number) });
    expect(end.retryIn).toBeGreaterThan(900);
  });

  it('passes over a destination that is paused, whose recipients come back when that ends', async () => {
    const enter = jest
      .spyOn(DomainLimiter.prototype, 'enter')
      .mockImplementation(async (domain) => (domain === 'one.test' ? 30_000 : 0));
    const { end, sent } = await deliver(leaseOf(TO.map(pending)));
    expect(enter).toHaveBeenCalledTimes(2);
    enter.mockRestore();
    expect(sent).toEqual([TO[1]]);
    expect(statesOf(end)).toEqual(['pending', 'delivered', 'pending']);
    expect(end.retryIn).toBeGreaterThan(29_000);
  });

  it('delays all recipients that are left when the next hop goes down', async () => {
    const acquireSlot = async () => {
      throw new Error('ECONNREFUSED');
    };
    const { end, queue } = await deliver(leaseOf(TO.map(pending)), { acquireSlot });
    expect(statesOf(end)).toEqual(Array(3).fill('delivery_delayed'));
    expect(end).toMatchObject({ attempts: 0, waitsFor: expect.any(String), dueFor: 5, messages: [] });
    expect(end.recipients[0]).toEqual({ address: TO[0], status: 'delivery_delayed', attempts: 0 });
    expect(queue.wake).not.toHaveBeenCalled();
  });

  it('first settles the messages of a worker that died, and sends nothing meanwhile', async () => {
    const endedOutcomes: EndedOutcome[] = [
      { address: TO[0] as string, outcome: 'accepted', reply: { code: 250, text: 'ok' }, transport: null },
    ];
    const lostMessages = [{ message: 2, isNew: true, since: 0 }];
    const { end, sent, queue } = await deliver(leaseOf(TO.map(pending), { endedOutcomes, lostMessages }, 1));
    expect(sent).toEqual([]);
    expect(statesOf(end)).toEqual(['delivered', 'pending', 'pending']);
    expect(end).toMatchObject({ attempts: 1, retryIn: 0 });
    expect(queue.wake).toHaveBeenCalledWith(expect.objectContaining({ delay: 0 }));
  });

  it('sends the message last that may have killed a worker', async () => {
    const lostMessages = [{ message: 1, isNew: true, since: 0 }];
    const { sent, end } = await deliver(leaseOf(TO.map(pending), { lostMessages, lostEnds: 1 }, 1));
    expect(sent).toEqual([TO[1], TO[2], TO[0]]);
    expect(end.attempts).toBe(2);
  });

  it('holds an unknown end for its recipient alone', async () => {
    const rules = { onUnknown: 'hold' as const };
    const lostMessages = [{ message: 2, isNew: true, since: 0 }];
    const dead = await deliver(leaseOf(TO.map(pending), { lostMessages, lostEnds: 1 }, 1), { rules });
    expect(statesOf(dead.end)).toEqual(['pending', 'failed', 'pending']);
    expect(dead.end.events).toMatchObject([{ recipient: TO[1], reasonCode: 'unknown_outcome_held' }]);
    const outcomeOf = (address: string) => (address === TO[0] ? { outcome: 'unknown' as const } : undefined);
    const lost = await deliver(leaseOf(TO.map(pending)), { rules, outcomeOf });
    expect(statesOf(lost.end)).toEqual(['failed', 'delivered', 'delivered']);
  });
});
