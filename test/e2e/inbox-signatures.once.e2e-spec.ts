import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords, type ShownRecord } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';

interface Dkim {
  status: string;
  signatures: { domain: string; selector: string; algorithm: string; result: string; aligned: boolean }[];
}

interface Entry {
  id: string;
  subject: string;
  signed: boolean;
  dkim: Dkim;
}

const FOUND = { result: 'pass', aligned: true, reason: null };

let dns: DnsServer;
let host: RunningHost;

const entries = async () => (await host.request<{ data: Entry[] }>('GET', '/inbox')).body.data;

/** Sends an email, and returns the word of the inbox on it. */
async function received(from: string, subject: string, token?: string): Promise<Dkim> {
  const body = { from, to: 'to@to.test', subject, text: 'Hello there' };
  const answer = await host.request<{ id: string }>('POST', '/emails', { body, ...(token !== undefined && { token }) });
  expect(answer.status).toBe(200);
  const { id } = await until(async () => (await entries()).find((entry) => entry.subject === subject));
  return (await host.request<Entry>('GET', `/inbox/${id}`)).body.dkim;
}

beforeAll(async () => {
  dns = await DnsServer.start();
  const env = { DNS_SERVERS: dns.address, BOUNCE_HOST: 'mx.relay.test', SPF_MECHANISMS: 'ip4:192.0.2.1' };
  host = await startHost({ services: 'none', env });
});

describe('mail of development', () => {
  it.each(['example.com', 'shop.test', 'a.b.shop.test'])(
    'is signed without a domain and without DNS: %s',
    async (domain) => {
      dns.queries.length = 0;
      expect(await received(`You <you@${domain}>`, `From ${domain}`)).toEqual({
        status: 'pass',
        signatures: [{ domain, selector: 'development', algorithm: 'rsa-sha256', ...FOUND }],
      });
      expect(dns.queries).toEqual([]);
    },
  );

  it('is not signed for domains that exist', async () => {
    expect(await received('you@example.org', 'Of another')).toEqual({ status: 'none', signatures: [] });
    expect((await entries()).find(({ subject }) => subject === 'Of another')?.signed).toBe(false);
  });

  it('keeps its key in a file that only this user reads, over a restart', async () => {
    const file = join(host.dataDir, 'dkim-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    await host.stop();
    await host.start();
    expect(readFileSync(file, 'utf8')).toBe(before);
    const kept = (await entries()).find(({ subject }) => subject === 'From shop.test');
    const { body } = await host.request<Entry>('GET', `/inbox/${kept!.id}`);
    expect(body.dkim.status).toBe('pass');
  });

  it('shows the signature and the way to unsubscribe on the page', async () => {
    const client = await DashboardClient.signedIn(host);
    const kept = (await entries()).find(({ subject }) => subject === 'From shop.test');
    const { body } = await client.ask<{ dkim: Dkim }>('GET', `/inbox/messages/${kept!.id}`);
    expect(body.dkim).toMatchObject({ status: 'pass', signatures: [{ domain: 'shop.test' }] });
  });

  it('shows a message that was changed as not valid', async () => {
    const kept = (await entries()).find(({ subject }) => subject === 'From example.com')!;
    const file = join(host.dataDir, 'inbox', `${kept.id}.eml`);
    await host.stop();
    writeFileSync(file, readFileSync(file, 'latin1').replace('Hello there', 'Hello These'), 'latin1');
    await host.start();
    const { body } = await host.request<Entry>('GET', `/inbox/${kept.id}`);
    expect(body.dkim).toMatchObject({ status: 'fail', signatures: [{ result: 'fail' }] });
  });

  it('is signed by the keys of a domain once there is one, and the inbox asks DNS for them', async () => {
    const { body: made } = await host.request<{ id: string; records: ShownRecord[] }>('POST', '/domains', {
      body: { name: 'owned.test' },
    });
    expect(await received('you@owned.test', 'Before')).toEqual({ status: 'none', signatures: [] });
    publishRecords(dns.zone, 'owned.test', made.records);
    await host.request('POST', `/domains/${made.id}/verify`);
    await until(
      async () => (await host.request<{ status: string }>('GET', `/domains/${made.id}`)).body.status === 'verified',
    );
    const selector = made.records[0]!.name.split('.')[0];
    expect(await received('you@owned.test', 'After')).toEqual({
      status: 'pass',
      signatures: [{ domain: 'owned.test', selector, algorithm: 'rsa-sha256', ...FOUND }],
    });
  });

  it('says that DNS did not answer, and does not wait for it when it receives', async () => {
    for (const name of Object.keys(dns.zone)) dns.zone[name] = { fault: 'silence' };
    const id = await post(host, 'to@to.test', { from: 'you@owned.test', subject: 'Silence' });
    await untilShown(host, id, 'delivered', { timeout: host.seconds(5) });
    const { id: kept } = await until(async () => (await entries()).find(({ subject }) => subject === 'Silence'));
    const { body } = await host.request<Entry>('GET', `/inbox/${kept}`);
    expect(body.dkim).toMatchObject({ status: 'temperror', signatures: [{ result: 'temperror' }] });
  });
});
