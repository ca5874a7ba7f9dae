import type { KnownNextHop } from '../ports/next-hop-status.js';
import { EmailsNextHop } from './emails-next-hop.service.js';

const NOW = 1_800_000_000_000;
const UP: KnownNextHop = {
  name: 'mx.test:25',
  downSince: null,
  error: null,
  lastSuccess: null,
  acceptedPerMinute: 3,
  destinations: [],
};
const NONE = { count: 0, oldestAge: 0, waiting: 0, oldestWaiting: 0 };
const NO_PERMITS = { used: async () => Promise.reject(new Error('nobody asks')) };
const NO_LIMITS = { perSecond: null, perDay: null, usedToday: null };
const WAITING = { count: 12, oldestAge: 30_000, waiting: 12, oldestWaiting: 30_000 };

function hopWith(due: typeof NONE, known?: KnownNextHop) {
  const clock = { now: NOW };
  const asked = { due: 0, why: 0 };
  const store = {
    due: async () => {
      asked.due += 1;
      return due;
    },
    whyWaiting: async () => {
      asked.why += 1;
      return '421 4.7.0 <Jane.Doe@example.com> too many from jane@example.com:25 ok';
    },
  };
  const hop = new EmailsNextHop(
    [{ name: 'mx.test:25', limits: undefined }],
    store,
    NO_PERMITS,
    known && (() => ({ hops: [known], recent: known })),
    () => clock.now,
  );
  return { hop, clock, asked, store };
}

describe('EmailsNextHop', () => {
  it('is up where this process delivers, and unknown elsewhere, while no email waits', async () => {
    const { hop, asked } = hopWith(NONE, UP);
    expect(await hop.status()).toMatchObject({ state: 'up', since: null, recent: { acceptedPerMinute: 3 } });
    expect(await hop.degradation()).toBeNull();
    expect(await hopWith(NONE).hop.status()).toMatchObject({ state: 'unknown', error: null, recent: null });
    expect(asked).toEqual({ due: 1, why: 0 });
  });

  it('is down by the emails that wait, with the words of the server and no address', async () => {
    const { hop } = hopWith(WAITING);
    const since = new Date(NOW - 30_000);
    expect(await hop.status()).toMatchObject({
      state: 'down',
      since,
      waiting: 12,
      error: '421 4.7.0 … too many from … ok',
    });
    expect(await hop.degradation()).toEqual({ since, what: 'next_hop', hop: 'mx.test:25', waiting: 12 });
  });

  it('is down since the earlier of what this process and the emails know', async () => {
    const at = (downSince: Date) => hopWith(WAITING, { ...UP, downSince, error: 'ECONNREFUSED' }).hop.status();
    expect((await at(new Date(NOW - 1_000))).since).toEqual(new Date(NOW - 30_000));
    expect((await at(new Date(NOW - 90_000))).since).toEqual(new Date(NOW - 90_000));
    const { hop } = hopWith(NONE, { ...UP, downSince: new Date(NOW - 5) });
    expect(await hop.degradation()).toMatchObject({ what: 'next_hop', since: new Date(NOW - 5), waiting: 0 });
  });

  it('has the state of each transport, and is down only if mail waits for one, or all are', async () => {
    const statusOf = async (due: typeof NONE, ...hops: KnownNextHop[]) => {
      const store = { due: async () => due, whyWaiting: async () => null };
      return new EmailsNextHop(
        hops.map(({ name }) => ({ name, limits: name === 'a' ? () => ({ perDay: 50 }) : undefined })),
        store,
        { used: async () => new Map([['a', 7]]) },
        () => ({ hops, recent: UP }),
        () => NOW,
      ).status();
    };
    const down = (name: string) => ({ ...UP, name, downSince: new Date(NOW - 5), error: 'ECONNREFUSED by a@b.test' });
    const one = await statusOf(NONE, down('a'), UP);
    expect(one).toMatchObject({ name: 'a, mx.test:25', state: 'up', since: null });
    const known = { error: null, lastSuccess: null, acceptedPerMinute: 3, ...NO_LIMITS };
    const since = new Date(NOW - 5);
    expect(one.transports).toEqual([
      { ...known, name: 'a', state: 'down', since, error: 'ECONNREFUSED by …', perDay: 50, usedToday: 7 },
      { ...known, name: 'mx.test:25', state: 'up', since: null },
    ]);
    expect(await statusOf(WAITING, down('a'), UP)).toMatchObject({
      name: 'a',
      state: 'down',
      error: 'ECONNREFUSED by …',
    });
    expect(await statusOf(NONE, down('a'), down('b'))).toMatchObject({ name: 'a, b', state: 'down' });
    expect((await hopWith(NONE).hop.status()).transports).toMatchObject([{ name: 'mx.test:25', state: 'unknown' }]);
  });

  it('is late when due emails have no worker for a minute', async () => {
    const late = (oldestAge: number) => hopWith({ ...NONE, count: 7, oldestAge }, UP).hop.degradation();
    expect(await late(59_999)).toBeNull();
    expect(await late(60_000)).toEqual({ since: new Date(NOW - 60_000), what: 'late', hop: 'mx.test:25', waiting: 7 });
  });

  it('asks the database once in two seconds for all callers, and again after a failure', async () => {
    const { hop, clock, asked, store } = hopWith(NONE, UP);
    await Promise.all([hop.status(), hop.degradation(), hop.status()]);
    clock.now += 1_999;
    await hop.status();
    expect(asked.due).toBe(1);
    clock.now += 1;
    const { due } = store;
    store.due = () => Promise.reject(new Error('away'));
    await expect(hop.status()).rejects.toThrow('away');
    store.due = due;
    await hop.status();
    expect(asked.due).toBe(2);
    clock.now -= 3_600_000;
    await hop.status();
    expect(asked.due).toBe(3);
  });
});
