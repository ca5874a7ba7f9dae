import { Redis } from 'ioredis';
import { PATIENCE } from '../support/basics/patience.mjs';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, invalid } from '../support/hosts/contract-host.js';
import { startHost } from '../support/hosts/host.js';
import { eventTypes, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';

/** Limit of an email's delay after its time. Seconds. */
const EXACT = 1;

/** Contract 2.1 and 4: `scheduled_at`. */
describe('scheduled_at', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start();
  });

  const inSeconds = (wait: number) => new Date(Date.now() + api.host.seconds(wait)).toISOString();

  /** `ready`: since when a process runs. Counts from `due`, however far off that is on a slow machine. */
  async function expectExact(id: string, due: string, ready = 0): Promise<void> {
    const wait = Math.max(0, Date.parse(due) - Date.now());
    const { receivedAt } = await api.sink.waitFor(({ raw }) => raw.includes(id), wait + PATIENCE);
    expect(api.sink.offered.filter(({ raw }) => raw.includes(id))).toHaveLength(1);
    expect(receivedAt.getTime()).toBeGreaterThanOrEqual(Date.parse(due));
    expect(receivedAt.getTime()).toBeLessThan(Math.max(Date.parse(due), ready) + api.host.seconds(EXACT));
  }

  it.each([
    ['2096-11-21T05:26:01Z', '2096-11-21 05:26:01.000000+00'],
    ['2096-11-21T05:26:01.5Z', '2096-11-21 05:26:01.500000+00'],
    ['2096-11-21T05:26:01.123456Z', '2096-11-21 05:26:01.123456+00'],
    ['2096-11-21T05:26:01+02:00', '2096-11-21 03:26:01.000000+00'],
    ['2096-11-21T05:26:01-0330', '2096-11-21 08:56:01.000000+00'],
    ['2096-11-21T05:26:01+0000', '2096-11-21 05:26:01.000000+00'],
    ['2096-11-21T05:26:01', '2096-11-21 05:26:01.000000+00'],
    ['2096-11-21 05:26:01.123456+00', '2096-11-21 05:26:01.123456+00'],
    ['2096-11-22 00:09:47 +0000', '2096-11-22 00:09:47.000000+00'],
    ['2096-11-22 00:09:47 UTC', '2096-11-22 00:09:47.000000+00'],
    ['Dec 25, 2096 at 5pm EST', '2096-12-25 22:00:00.000000+00'],
    ['2096-11-21T05:26', '2096-11-21 05:26:00.000000+00'],
    ['2096-12-31T23:59:59.999999-01:00', '2097-01-01 00:59:59.999999+00'],
    ['2096-02-29T00:00:00Z', '2096-02-29 00:00:00.000000+00'],
    ['9999-12-31T23:59:59Z', '9999-12-31 23:59:59.000000+00'],
  ])('takes %s for %s, and waits', async (scheduled_at, shown) => {
    const id = await api.accept({ scheduled_at });
    expect(await api.record(id)).toMatchObject({ scheduled_at: shown, last_event: 'scheduled' });
    expect(await eventTypes(api.host, id)).toEqual(['scheduled']);
  });

  it('resolves English times once', async () => {
    const before = Date.now();
    const id = await api.accept({ scheduled_at: 'in 10 minutes' });
    const after = Date.now();
    const { scheduled_at, last_event } = await api.record(id);
    expect(last_event).toBe('scheduled');
    expect(Date.parse(scheduled_at ?? '')).toBeGreaterThanOrEqual(before + 600_000);
    expect(Date.parse(scheduled_at ?? '')).toBeLessThanOrEqual(after + 600_000);
    const tomorrow = await api.record(await api.accept({ scheduled_at: 'tomorrow at 9am' }));
    expect(tomorrow.scheduled_at).toMatch(/ 09:00:00\.000000\+00$/);
  });

  it.each(['tomorrow', 'tomorrow morning', 'next week', 'Friday', 'December 25', '2096-12-01'])(
    'reads %s as 9:00 of that day',
    async (scheduled_at) => {
      const record = await api.record(await api.accept({ scheduled_at }));
      expect(record).toMatchObject({
        last_event: 'scheduled',
        scheduled_at: expect.stringMatching(/ 09:00:00\.000000\+00$/),
      });
    },
  );

  it.each([
    'today',
    'tomorrow at 9am or 10am',
    '1/2/2097 at 9am',
    'soon',
    'in 1 min'.padEnd(200, '.'),
    '12/1/2096',
    '05:26:01',
    '2096-02-30T00:00:00Z',
    '2095-02-29T00:00:00Z',
    '2096-13-01T00:00:00Z',
    '2096-00-10T00:00:00Z',
    '2096-01-32T00:00:00Z',
    '2096-01-01T24:00:00Z',
    '2096-01-01T00:60:00Z',
    '2096-01-01T00:00:61Z',
    '2096-01-01T00:00:00+25:00',
    '2096-01-01T00:00:00 PST',
    '2096-1-1T00:00:00Z',
    '20960101T000000Z',
    '2096-W01-1T00:00:00Z',
    '+012096-01-01T00:00:00Z',
    '２０９６-01-01T00:00:00Z',
    '2096-01-01T00:00:00Z\n',
    '4000000000',
    'infinity',
    'now',
  ])('refuses %j', async (scheduled_at) => {
    await api.refuse({ scheduled_at }, invalid(/^`scheduled_at` must be an ISO 8601 date and time.*`in 10 minutes`/));
  });

  it.each(['2020-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])('in the past (%s) sends at once', async (scheduled_at) => {
    const { id } = await api.deliver({ scheduled_at });
    await untilShown(api.host, id, 'sent');
    expect(await eventTypes(api.host, id)).toEqual(['queued', 'sent']);
    expect(await api.record(id)).toMatchObject({ scheduled_at: `${scheduled_at.slice(0, 10)} 00:00:00.000000+00` });
  });

  it.each(['2020-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
    'in the past (%s) does not set the date of a message: it has that of its acceptance, on every attempt',
    async (scheduled_at) => {
      const before = api.sink.offered.length;
      api.sink.onMessage = (_, count) => (count === before + 1 ? '451 4.3.0 Later' : undefined);
      const { id, mail } = await api.deliver({ scheduled_at });
      const attempts = api.sink.offered.filter(({ raw }) => raw.includes(id));
      expect(attempts).toHaveLength(2);
      const { created_at } = await api.record(id);
      const accepted = Math.floor(Date.parse(created_at) / 1_000) * 1_000;
      expect(Date.parse(mail.date ?? '')).toBe(accepted);
      const dates = await Promise.all(attempts.map(async ({ raw }) => (await parseMime(raw)).date));
      delete api.sink.onMessage;
      expect(dates).toEqual([mail.date, mail.date]);
    },
  );

  it('is met to the second, and never early', async () => {
    const due = [1, 1.25, 1.499, 1.75, 2, 2.001].map(inSeconds);
    const ids = await Promise.all(due.map((scheduled_at) => api.accept({ scheduled_at })));
    for (const [at, id] of ids.entries()) await expectExact(id, due[at]!);
    for (const id of ids) {
      await untilShown(api.host, id, 'sent');
      expect(await eventTypes(api.host, id)).toEqual(['scheduled', 'queued', 'sent']);
    }
  });

  it('delays no due email', async () => {
    const later = await Promise.all(Array.from({ length: 50 }, () => api.accept({ scheduled_at: inSeconds(86_400) })));
    await api.deliver();
    const states = await Promise.all(later.map(async (id) => (await api.record(id)).last_event));
    expect(states).toEqual(later.map(() => 'scheduled'));
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('survives %s and a restart', async (signal) => {
    const due = inSeconds(8);
    const id = await api.accept({ scheduled_at: due });
    await api.host.stop(signal);
    await api.host.restart();
    const ready = Date.now();
    await expectExact(id, due, ready);
    await untilShown(api.host, id, 'sent');
    expect(await eventTypes(api.host, id)).toEqual(['scheduled', 'queued', 'sent']);
  });

  it('that was missed without a running process is caught up at the start', async () => {
    const due = inSeconds(0.5);
    const id = await api.accept({ scheduled_at: due });
    await api.host.stop('SIGKILL');
    await until(() => Date.now() > Date.parse(due));
    await api.host.restart();
    const ready = Date.now();
    await expectExact(id, due, ready);
  });

  it('survives the loss of the whole queue', async () => {
    const due = inSeconds(3);
    const id = await api.accept({ scheduled_at: due });
    await loseQueue();
    await expectExact(id, due);
  });

  it('is met once by two processes', async () => {
    const second = await startHost({ smtp: api.sink, beside: api.host });
    const due = inSeconds(1.5);
    const ids = await Promise.all(Array.from({ length: 10 }, () => api.accept({ scheduled_at: due })));
    for (const id of ids) await expectExact(id, due);
    await second.stop();
    await api.expectNothingElseSent();
    for (const id of ids) expect(api.sink.offered.filter(({ raw }) => raw.includes(id))).toHaveLength(1);
  });

  it('of the others is still to come', async () => {
    await api.expectNothingElseSent();
    const waiting = await api.host.query<{ id: string }>(
      `SELECT id FROM nestjs_emails.emails WHERE scheduled_at > now() + interval '1 hour'`,
    );
    expect(waiting.length).toBeGreaterThan(50);
    expect(waiting.filter(({ id }) => api.sink.offered.some(({ raw }) => raw.includes(id)))).toEqual([]);
  });

  async function loseQueue(): Promise<void> {
    if (api.host.redisUrl === undefined) {
      await api.host.query('DELETE FROM bullmq.job');
      return;
    }
    const redis = new Redis(api.host.redisUrl);
    await redis.flushdb();
    redis.disconnect();
  }
});
