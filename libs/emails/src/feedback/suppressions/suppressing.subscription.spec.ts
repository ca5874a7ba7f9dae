import type { EntityManager } from 'typeorm';
import type { HandedEvent, SubscribedEmailEvent } from '../../index.js';
import type { SoftBounce } from './soft-bounces.repository.js';
import { SuppressingSubscription } from './suppressing.subscription.js';
import type { NewSuppression } from './suppressions.repository.js';

const MANAGER = {} as EntityManager;
const UNKNOWN = {
  type: 'bounced',
  reason: '550 5.1.1 Unknown',
  reasonCode: 'address_unknown',
  bounce: { type: 'Permanent', subType: 'General', operator: 'gmail' },
} as const;
const SOFT = { type: 'failed', reasonCode: 'expired', reason: 'Gave up. Last reply: 452 4.2.2 Full' } as const;

const event = (fields: Partial<SubscribedEmailEvent>): HandedEvent => ({
  key: '',
  event: {
    id: '1',
    accountId: 'one',
    emailId: 'email',
    createdAt: new Date(0),
    recipient: 'Ada@to.test',
    email: {},
    ...fields,
  } as never,
});

function subscription({ enough = true, softBounces = true } = {}) {
  const put: [string, Omit<NewSuppression, 'id'>[]][] = [];
  const soft: SoftBounce[] = [];
  const counted: [events: number, held: string[]][] = [];
  let woken = 0;
  const suppressing = new SuppressingSubscription(
    {
      put: async (_, accounts) => {
        for (const [accountId, entries] of accounts) put.push([accountId, entries.map(({ id: _, ...entry }) => entry)]);
        return new Set(['gmail']);
      },
    },
    {
      record: async (_, __, bounce) => {
        soft.push(bounce);
        return enough;
      },
    },
    { softBounces, exemptAccounts: ['alarms'] },
    {
      record: async (_, events, held) => void counted.push([events.length, [...held]]),
      committed: () => void woken++,
    },
  );
  const handle = async (...events: HandedEvent[]) => {
    await suppressing.handle(events, MANAGER);
    suppressing.committed();
  };
  return { put, soft, counted, woken: () => woken, handle };
}

const ENTRY = { emailKey: 'ada@to.test', email: 'ada@to.test', sourceId: 'email' };
const BOUNCE = { ...ENTRY, origin: 'bounce', reason: '550 5.1.1 Unknown', operator: 'gmail' };

describe('SuppressingSubscription', () => {
  it('adds an address once, for its strongest cause', async () => {
    const { put, handle } = subscription();
    await handle(
      event(SOFT),
      event({ ...UNKNOWN, recipient: 'ADA@to.test' }),
      event({ type: 'complained' }),
      event(UNKNOWN),
    );
    expect(put).toEqual([['one', [{ ...ENTRY, origin: 'complaint', reason: null, operator: null }]]]);
  });

  it('neither adds nor counts anything of an exempt account', async () => {
    const { put, soft, counted, handle } = subscription();
    const accountId = 'alarms';
    await handle(
      event({ ...UNKNOWN, accountId }),
      event({ ...SOFT, accountId }),
      event({ type: 'complained', accountId }),
    );
    expect([put, soft, counted]).toEqual([[], [], [[0, ['gmail']]]]);
  });

  it('adds the addresses of each account in one call', async () => {
    const { put, handle } = subscription();
    await handle(
      event(UNKNOWN),
      event({ ...UNKNOWN, accountId: 'two' }),
      event({ ...UNKNOWN, recipient: 'b@to.test' }),
    );
    expect(put.map(([account, entries]) => [account, entries.map(({ email }) => email)])).toEqual([
      ['one', ['ada@to.test', 'b@to.test']],
      ['two', ['ada@to.test']],
    ]);
    expect(put[0]?.[1][0]).toEqual(BOUNCE);
  });

  it('adds an address for a time once enough emails were given up', async () => {
    const few = subscription({ enough: false });
    await few.handle(event(SOFT));
    expect(few.soft).toEqual([
      expect.objectContaining({ emailKey: 'ada@to.test', emailId: 'email', givenUpAt: new Date(0) }),
    ]);
    expect(few.put).toEqual([]);
    const enough = subscription();
    await enough.handle(event(SOFT));
    expect(enough.put[0]?.[1]).toEqual([
      { ...ENTRY, origin: 'bounce', reason: '452 4.2.2 Full', operator: null, lifetime: 1_209_600_000 },
    ]);
  });

  it('does not count emails that were given up if the host does not want it', async () => {
    const { put, soft, handle } = subscription({ softBounces: false });
    await handle(event(SOFT));
    expect([put, soft]).toEqual([[], []]);
  });

  it('counts all events, with the operators that are in a bad hour', async () => {
    const { counted, woken, handle } = subscription();
    await handle(event(SOFT), event(UNKNOWN));
    expect([counted, woken()]).toEqual([[[2, ['gmail']]], 1]);
  });

  it('adds nothing without an address, for an erased person, or for a record of another kind', async () => {
    const { put, handle } = subscription();
    const { recipient: _, ...whole } = event(UNKNOWN).event as SubscribedEmailEvent;
    await handle({ key: '', event: whole }, event({ ...UNKNOWN, recipient: 'erased@erased.invalid' }), {
      key: '',
      event: { id: '2', accountId: 'one', createdAt: new Date(), type: 'bounced', data: {} },
    });
    expect(put).toEqual([]);
  });
});
