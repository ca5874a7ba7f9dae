import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RetryPolicy } from '../../../shared/work/retry-policy.js';
import { Observation } from '../../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, SmtpReply, TransportSlot } from '../../ports/email-transport.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import type { RouteChooser } from '../../ports/route-chooser.js';
import type { RecipientState } from '../../states/recipient-state.js';
import type { Lease, LeaseEnd, NewAttempt } from '../../storage/deliver/delivery.repository.js';
import { hopBits } from '../../storage/deliver/hop-bits.js';
import { DeliveryService } from '../delivery.service.js';
import { RecipientPolicies } from '../recipient-policies.js';

const RULES = {
  ...{ lease: 10_000, concurrency: 16, onUnknown: 'retry' as const, destinationConcurrency: 10 },
  retryPolicy: new RetryPolicy([60_000, 60_000], () => 0),
};

const reply = (outcome: RecipientOutcome['outcome'], given: SmtpReply) => ({ outcome, reply: given });
const ACCEPTED = reply('accepted', { code: 250, text: '250 ok' });
const LATER = reply('deferred', { code: 451, text: '451 later', stage: 'mail' });

/** A transport that gives these answers in order, and accepts everything afterwards. */
function transportOf(name: string, ...answers: ReturnType<typeof reply>[]) {
  const send = jest.fn(async ({ recipients }: BuiltMessage) => {
    const answer = answers.shift() ?? ACCEPTED;
    return recipients.map((address) => ({ address, ...answer }));
  });
  const transport = { hop: 'relay' as const, send, verify: async () => {}, close: jest.fn(async () => {}) };
  return { name, transport };
}

const services: DeliveryService[] = [];
afterEach(() => {
  for (const service of services.splice(0)) service.routes.stop();
});

// Other tests check the log.
beforeAll(() => Logger.overrideLogger(false));

interface World {
  recipients?: RecipientState[];
  chooser?: RouteChooser;
  tags?: { name: string; value: string }[];
  pausedTransports?: readonly string[];
  /** Number of the attempt that cannot be written, because its row is locked. */
  locked?: number;
}

/** Delivers one email, lease by lease, while it is due at once. */
async function deliver(
  transports: readonly NamedTransport[],
  {
    recipients = [{ address: 'a@to.test', status: 'pending' }],
    chooser,
    tags = [],
    pausedTransports,
    locked,
  }: World = {},
) {
  const ends: LeaseEnd[] = [];
  const opened: NewAttempt[] = [];
  const asked: unknown[] = [];
  let now = recipients;
  let attempts = 0;
  let written = 0;
  const email = () => ({
    ...{ id: 'id', accountId: 'account', topicId: null, age: 0, date: new Date(), from: 'A <a@from.test>', to: [] },
    ...{ cc: [], replyTo: [], subject: '', html: null, text: '', headers: [], contentSize: 0, attachments: [] },
    ...{ recipients: now, attempts, tags, pausedTransports },
  });
  const repository = {
    lease: async (ids: string[], _: number, __: unknown, withTags: boolean) => {
      asked.push(withTags);
      const lease = { email: email(), fence: 1, started: null, endUnknown: false, lostEnds: 0, sinceLostEnd: null };
      return ids.map(() => ({ kind: 'leased', lease: lease as unknown as Lease }));
    },
    openAttempts: async (leases: NewAttempt[]) => leases.map((lease) => ++written !== locked && opened.push(lease) > 0),
    release: async () => ({ emails: [], more: false }),
    extend: async (leases: unknown[]) => leases.map(() => 'done'),
    close: async (closed: LeaseEnd[]) => {
      ends.push(...closed);
      return closed.map(({ events }) => events);
    },
  };
  const service = new DeliveryService(
    repository as never,
    { wake: () => {} } as never,
    { build: async (_: unknown, to: string[]) => ({ recipients: to }) } as never,
    { transports, chooser },
    new RecipientPolicies(undefined),
    { announce: () => {} } as never,
    new Observation([]),
    RULES,
  );
  services.push(service);
  const run = async () => {
    do {
      await service.deliver('id');
      now = [...(ends.at(-1) as LeaseEnd).recipients];
      attempts = (ends.at(-1) as LeaseEnd).attempts;
    } while (ends.at(-1)?.retryIn === 0 && ends.at(-1)?.pausedTransports === undefined);
  };
  await run();
  return { ends, opened, asked, run, service, names: () => opened.map(({ transport }) => transport) };
}

describe('failover', () => {
  it('moves to the next at once, and counts the attempts of one round as one', async () => {
    const { ends, names } = await deliver([transportOf('a', LATER), transportOf('b', LATER), transportOf('c')]);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(ends.map(({ retryIn, attempts, events }) => [retryIn, attempts, events.length])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [null, 1, 1],
    ]);
    expect(ends[0]?.recipients[0]).toMatchObject({ status: 'pending', tried: ['a'] });
    expect(ends[2]?.events[0]).toMatchObject({ type: 'sent', transport: 'c', attempt: 1 });
    expect(ends[2]?.recipients[0]).not.toHaveProperty('tried');
  });

  it('waits by the schedule when all were tried, and begins again with the first', async () => {
    const { ends, names, run } = await deliver([transportOf('a', LATER), transportOf('b', LATER)]);
    expect(ends.at(-1)).toMatchObject({ retryIn: 60_000, attempts: 1, lastEvent: 'delivery_delayed' });
    await run();
    expect(names()).toEqual(['a', 'b', 'a']);
    expect(ends.at(-1)).toMatchObject({ retryIn: null, attempts: 2 });
  });

  it('passes over a paused transport, also when the other one fails', async () => {
    const { ends, names } = await deliver([transportOf('a'), transportOf('b', LATER)], { pausedTransports: ['a'] });
    expect(names()).toEqual(['b']);
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ retryIn: 60_000, attempts: 1 });
  });

  it('waits for any of the paused transports that alone may take the email, without an attempt', async () => {
    const other = { ...transportOf('c'), for: { accounts: ['another'] } };
    const { ends, names } = await deliver([transportOf('a'), transportOf('b'), other], {
      pausedTransports: ['a', 'b'],
    });
    expect(names()).toEqual([]);
    expect(ends).toEqual([
      expect.objectContaining({ pausedTransports: ['a', 'b'], retryIn: 0, attempts: 0, events: [], outcomes: null }),
    ]);
  });

  it('stays with the second after a recipient was put off there', async () => {
    const greylisted = reply('deferred', { code: 451, text: '451 greylisted', stage: 'rcpt' });
    const { names, run } = await deliver([transportOf('a', LATER), transportOf('b', greylisted)]);
    await run();
    expect(names()).toEqual(['a', 'b', 'b']);
  });

  it('takes another one after the content was put off, and waits for it', async () => {
    const full = reply('deferred', { code: 452, text: '452 full', stage: 'dot' });
    const { ends, names, run } = await deliver([transportOf('a', full, full), transportOf('b', full)]);
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ retryIn: 60_000, attempts: 1 });
    await run();
    await run();
    expect(names()).toEqual(['a', 'b', 'a']);
  });

  it('takes another one after the content was put off, also if that attempt cannot be written at first', async () => {
    const full = reply('deferred', { code: 452, text: '452 full', stage: 'dot' });
    const { ends, names, run } = await deliver([transportOf('a', full), transportOf('b')], { locked: 2 });
    await run();
    expect(ends.at(-1)).toMatchObject({ retryIn: 1_000, attempts: 1, outcomes: null });
    await run();
    expect(names()).toEqual(['a', 'b']);
  });

  it.each([
    ['5yz', reply('rejected', { code: 550, text: '550 no', stage: 'mail' })],
    ['an unknown end', reply('unknown', { text: 'closed', error: 'ECLOSED' })],
  ])('never moves after %s', async (_, answer) => {
    const { ends, names } = await deliver([transportOf('a', answer), transportOf('b')]);
    expect(names()).toEqual(['a']);
    expect(ends).toHaveLength(1);
  });

  it('ends the wait for a slot of a transport that is found down, and releases one that comes later', async () => {
    const slot = { send: jest.fn(), reopen: async () => {}, release: jest.fn() };
    let grant = (_: TransportSlot) => {};
    const first = {
      name: 'a',
      transport: { ...transportOf('a').transport, acquireSlot: () => new Promise((resolve) => (grant = resolve)) },
    };
    const second = transportOf('b');
    const delivered = deliver([first as never, second]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    services[0]?.routes.named('a').breaker.unreached('other', new Error('away'));
    const { names, ends } = await delivered;
    expect(names()).toEqual(['b']);
    expect(ends.map(({ outcomes }) => outcomes?.length ?? null)).toEqual([null, 1]);
    grant(slot as never);
    await new Promise(setImmediate);
    expect(slot.release).toHaveBeenCalledTimes(1);
  });

  it('writes no attempt at a transport after the wait for its slot was given up', async () => {
    const first = { name: 'a', transport: { ...transportOf('a').transport, acquireSlot: () => new Promise(() => {}) } };
    const delivered = deliver([first as never, transportOf('b')]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { breaker, slots } = services[0]?.routes.named('a') ?? {};
    breaker?.unreached('other', new Error('away'));
    const { names } = await delivered;
    slots?.release({ release: () => {} } as never);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(names()).toEqual(['b']);
  });

  it('waits for the end of a pause or the return of a hop, whichever comes first, and begins a new round', async () => {
    const limit = reply('deferred', { code: 454, text: '454 4.7.0 Throttling failure', stage: 'mail' });
    const away = { ...transportOf('b').transport, acquireSlot: () => Promise.reject(new Error('away')) };
    const { ends } = await deliver([transportOf('a', limit), { name: 'b', transport: away }]);
    expect(ends.at(-1)).toMatchObject({ waitsFor: `${hopBits(['b'])}`, outcomes: null });
    expect(ends.at(-1)?.retryIn).toBeLessThanOrEqual(2_000);
    expect(ends.at(-1)?.recipients[0]).not.toHaveProperty('tried');
  });

  it('settles an attempt by the last transport, although the one before it is down and does not answer', async () => {
    const silent = { ...transportOf('b', reply('deferred', { text: 'no reply' })).transport };
    silent.verify = () => Promise.reject(new Error('away'));
    const { ends, names } = await deliver([transportOf('a', LATER), { name: 'b', transport: silent }]);
    expect(names()).toEqual(['a', 'b']);
    expect(ends.at(-1)).toMatchObject({ retryIn: 60_000, attempts: 1 });
    expect(ends.at(-1)).not.toHaveProperty('waitsFor');
  });

  it('lets more in after an outage by an answer without a code', async () => {
    const { run, service } = await deliver([transportOf('a', LATER, reply('accepted', { text: 'by the test' }))]);
    const { start } = service.routes.named('a');
    start.begin();
    await run();
    expect(await Promise.all([0, 0, 0, 0].map((patience) => start.enter(patience)))).toEqual([true, true, true, false]);
  });

  it('gives new mail to another transport while one owes an answer to a message for two seconds', async () => {
    const first = transportOf('a');
    first.transport.send.mockReturnValueOnce(new Promise(() => {}));
    void deliver([first, transportOf('b')]);
    while (first.transport.send.mock.calls.length === 0) await new Promise(setImmediate);
    const route = services[0]?.routes.named('a');
    expect(route?.isBusy).toBe(false);
    const later = performance.now() + 2_001;
    const now = jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(route?.isBusy).toBe(true);
    now.mockRestore();
  });
});

describe('the choice of a transport', () => {
  it('follows the rules, and reads tags only for them', async () => {
    const news = { ...transportOf('news'), for: { tags: ['kind=news'] } };
    const tags = [{ name: 'kind', value: 'news' }];
    expect((await deliver([news, transportOf('other')], { tags })).names()).toEqual(['news']);
    const { names, asked } = await deliver([news, transportOf('other')]);
    expect([names(), asked]).toEqual([['other'], [true]]);
    expect((await deliver([transportOf('only')])).asked).toEqual([false]);
  });

  it('defers an email that no transport may take', async () => {
    const { ends, names } = await deliver([{ ...transportOf('a'), for: { accounts: ['other'] } }]);
    expect(names()).toEqual([]);
    expect(ends[0]).toMatchObject({ attempts: 1, retryIn: 60_000, events: [{ reasonCode: 'no_transport' }] });
  });

  it('is made by the chooser, which knows what was tried, and may bring a transport of the account', async () => {
    const own = transportOf('own').transport;
    const make = jest.fn(() => own);
    const choose = jest.fn<RouteChooser['choose']>(() => ['b', { key: 'account-1', make }]);
    const { names, ends } = await deliver([transportOf('a'), transportOf('b', LATER)], { chooser: { choose } });
    expect(names()).toEqual(['b', 'account-1']);
    expect(ends.at(-1)?.events[0]).toMatchObject({ type: 'sent', transport: 'account-1' });
    expect(choose.mock.calls.map(([mail]) => mail)).toEqual([
      {
        ...{ accountId: 'account', emailId: 'id', fromDomain: 'from.test', recipientDomains: ['to.test'], tags: [] },
        tried: [],
      },
      expect.objectContaining({ tried: ['b'] }),
    ]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it.each<[string, RouteChooser['choose']]>([
    ['rejects', () => Promise.reject(new Error('secret settings'))],
    [
      'throws',
      () => {
        throw new TypeError('secret settings');
      },
    ],
    ['names an unknown transport', () => ['c']],
    ['names its own like a configured one', () => [{ key: 'a', make: () => transportOf('x').transport }]],
    ['returns no list', () => 'a' as never],
    ['cannot make the transport', () => [{ key: 'own', make: () => Promise.reject(new Error('secret settings')) }]],
  ])('defers the email, without the words of the error, when the chooser %s', async (_, choose) => {
    const { ends, names } = await deliver([transportOf('a')], { chooser: { choose } });
    expect(names()).toEqual([]);
    expect(ends[0]).toMatchObject({ retryIn: 60_000, events: [{ reasonCode: 'no_transport' }] });
    expect(JSON.stringify(ends)).not.toContain('secret');
  });

  it('ends a round by the schedule, however many transports a chooser names', async () => {
    let number = 0;
    const bad = () => ({ ...transportOf('x', LATER, LATER).transport });
    const choose = () => [0, 1].map(() => ({ key: `key-${number++}`, make: bad }));
    const { ends } = await deliver([transportOf('a')], { chooser: { choose } });
    expect(ends.length).toBeLessThan(50);
    expect(ends.at(-1)).toMatchObject({ retryIn: 60_000, attempts: 1 });
  });

  it('puts the email off without an attempt when the process stops before a transport of the account is open', async () => {
    const choose = () => [{ key: 'own', make: () => transportOf('own').transport }];
    const chooser: RouteChooser = { choose: () => undefined };
    const { service, ends, names } = await deliver([transportOf('a', LATER)], { chooser });
    chooser.choose = choose;
    service.routes.stop();
    await service.deliver('other');
    expect(names()).toEqual(['a']);
    expect(ends[1]).toMatchObject({ attempts: 1, outcomes: null, events: [], lastEvent: 'delivery_delayed' });
    expect(ends[1]?.retryIn).toBeGreaterThanOrEqual(1_000);
  });

  it('falls back to the rules where the chooser returns undefined', async () => {
    const { names } = await deliver([transportOf('a')], { chooser: { choose: () => undefined } });
    expect(names()).toEqual(['a']);
  });
});

describe('a transport that gets a part of the mail', () => {
  it('keeps its share of places waiting, and the rest is put off without an attempt', async () => {
    const slow = transportOf('slow', LATER);
    const { service, ends, opened } = await deliver([
      { ...slow, for: { accounts: ['account'] } },
      { ...transportOf('other'), for: { accounts: ['others'] } },
    ]);
    const waiting: (() => void)[] = [];
    slow.transport.send.mockImplementation(
      ({ recipients }) =>
        new Promise((resolve) => {
          waiting.push(() => resolve(recipients.map((address) => ({ address, ...ACCEPTED }))));
        }),
    );
    const delivered = Array.from({ length: 10 }, (_, n) => service.deliver(`${n}`));
    while (waiting.length < 8 || ends.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toHaveLength(9);
    for (const end of ends.slice(1)) expect(end).toMatchObject({ attempts: 1, outcomes: null, events: [] });
    expect(ends.slice(1).map(({ retryIn }) => Math.round(retryIn ?? 0))).toEqual([2_000, 2_020]);
    for (const answer of waiting) answer();
    await Promise.all(delivered);
  });
});
