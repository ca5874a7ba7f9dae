import { createServer } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { type HostLease, shareHost } from '../support/hosts/shared-host.js';
import { attemptsOf, post } from '../support/reading/deliveries.js';
import { processesToldOf } from '../support/reading/processes.js';

/** Other files lease none of these, so that the next lease is of the host that was released last. */
const KIND = 'harness';

/** Rows that the host was not started with. */
async function rowsOf({ host }: HostLease): Promise<Record<string, unknown>[]> {
  return host.query(`
    SELECT 'emails' AS of, subject AS what FROM nestjs_emails.emails
    UNION ALL SELECT 'contacts', email FROM nestjs_emails.contacts
    UNION ALL SELECT 'events', type FROM nestjs_emails.events
    UNION ALL SELECT 'accounts', name FROM nestjs_emails.accounts WHERE name <> 'default'
    UNION ALL SELECT 'keys', name FROM nestjs_emails.api_keys WHERE name <> 'BOOTSTRAP_API_KEY'`);
}

describe('a shared host', () => {
  let lease: HostLease;

  beforeEach(async () => {
    lease = await shareHost(KIND);
  });

  afterEach(() => lease.release());

  it('belongs to one file at a time', async () => {
    const other = await shareHost(KIND);
    expect(other.host.url).not.toBe(lease.host.url);
    const id = await post(other.host, 'to@to.test');
    await other.sink.waitFor(({ raw }) => raw.includes(id));
    expect(lease.sink.offered).toEqual([]);
    expect(await rowsOf(lease)).toEqual([]);
    await other.release();
  });

  it('has nothing of the file before: no rows, accounts, keys, messages or output', async () => {
    const { url } = lease.host;
    const { token } = await lease.host.account('of the file before');
    await post(lease.host, 'to@to.test');
    await lease.sink.waitFor(1);
    await post(lease.host, 'to@to.test', { scheduled_at: '2096-01-01T00:00:00Z' });
    await lease.host.request('POST', '/contacts', { body: { email: 'ada@person.test' }, token });
    expect(await rowsOf(lease)).not.toEqual([]);
    expect(lease.host.output).toContain('/contacts');

    await lease.release();
    lease = await shareHost(KIND);
    expect(lease.host.url).toBe(url);
    expect(await rowsOf(lease)).toEqual([]);
    await until(async () => (await lease.host.request('GET', '/emails', { token })).status === 401);
    expect(lease.host.output).not.toContain('/contacts');
    expect(lease.sink.offered).toEqual([]);
    const id = await post(lease.host, 'next@to.test');
    expect((await lease.sink.waitFor(1)).map(({ envelope }) => envelope.to)).toEqual([['next@to.test']]);
    expect(await attemptsOf(lease.host, id)).toHaveLength(1);
  });

  it('has no mail of the file before, also where the next hop refused it or never answered', async () => {
    const { url } = lease.host;
    lease.sink.onMessage = ({ envelope }) => (envelope.to.includes('hangs@to.test') ? 'hang' : '451 4.3.0 Later');
    await post(lease.host, 'hangs@to.test');
    await post(lease.host, 'refused@to.test');
    await until(() => lease.sink.offered.length >= 2);

    await lease.release();
    lease = await shareHost(KIND);
    expect(lease.host.url).toBe(url);
    await post(lease.host, 'next@to.test');
    await lease.sink.waitFor(1);
    expect(lease.sink.offered.map(({ envelope }) => envelope.to)).toEqual([['next@to.test']]);
    expect(lease.host.output).not.toContain('could not be given');
  });

  it('cannot be stopped, killed or restarted by a file', async () => {
    const { host } = lease;
    for (const act of [() => host.stop(), () => host.kill(), () => host.start(), () => host.restart()])
      await expect(act()).rejects.toThrow('needs its own, by `startHost`');
    expect((await host.request('GET', '/emails')).status).toBe(200);
  });

  it.each<[string, (lease: HostLease) => unknown]>([
    ['has died', ({ host }) => process.kill(host.pid!, 'SIGKILL')],
    [
      'has another function',
      ({ host }) =>
        host.query(`CREATE FUNCTION left_behind() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`),
    ],
  ])('is replaced when it %s', async (_, harm) => {
    const { url, dataDir } = lease.host;
    await harm(lease);
    await lease.release();
    lease = await shareHost(KIND);
    expect(lease.host.url).not.toBe(url);
    await until(() => processesToldOf(dataDir).size === 0, { what: 'the end of the first host' });
    await post(lease.host, 'to@to.test');
    await lease.sink.waitFor(1);
  });

  it('is replaced when another program listens on the port of its sink', async () => {
    const { host, sink } = lease;
    const { port } = sink;
    await lease.release();
    const stranger = createServer().listen(port, '127.0.0.1');
    lease = await shareHost(KIND);
    stranger.close();
    expect(lease.host.url).not.toBe(host.url);
    expect(lease.sink.port).not.toBe(port);
  });
});
