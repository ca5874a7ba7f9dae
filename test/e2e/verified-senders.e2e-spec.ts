import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords, type ShownRecord } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface Domain {
  id: string;
  status: string;
  records: ShownRecord[];
}

let dns: DnsServer;
let sink: SmtpSink;
let host: RunningHost;

async function verified(name: string): Promise<string> {
  const { body } = await host.request<Domain>('POST', '/domains', { body: { name } });
  publishRecords(dns.zone, name, (await host.request<Domain>('GET', `/domains/${body.id}`)).body.records);
  await host.request('POST', `/domains/${body.id}/verify`);
  await until(async () => (await host.request<Domain>('GET', `/domains/${body.id}`)).body.status === 'verified');
  return body.id;
}

const email = (from: string) => ({ from, to: 'b@to.test', subject: 'Hello', text: 'Hello' });
const send = (from: string, token?: string) =>
  host.request('POST', '/emails', { body: email(from), ...(token !== undefined && { token }) });

const notVerified = (name: string) => ({
  status: 403,
  body: {
    statusCode: 403,
    name: 'validation_error',
    message: `The \`${name}\` domain is not verified. Please, add and verify your domain.`,
  },
});
const notAuthorized = (name: string) => ({
  status: 403,
  body: {
    statusCode: 403,
    name: 'restricted_api_key',
    message: `This API key is not authorized to send emails from ${name}`,
  },
});

beforeAll(async () => {
  [sink, dns] = await Promise.all([SmtpSink.start(), DnsServer.start()]);
  host = await startHost({ smtp: sink, env: { DNS_SERVERS: dns.address, FROM_DOMAINS: 'verified' } });
});

beforeEach(() => sink.reset());

describe(`senders, with FROM_DOMAINS=verified, queue on ${queueKind()}`, () => {
  it('are the verified domains of the account alone', async () => {
    const id = await verified('shop.test');
    expect(await send('a@SHOP.test')).toMatchObject({ status: 200 });
    await host.request('POST', '/domains', { body: { name: 'new.test' } });
    for (const name of ['else.test', 'new.test', 'news.shop.test']) {
      expect(await send(`a@${name}`)).toMatchObject(notVerified(name));
    }
    const batch = [email('a@shop.test'), email('a@else.test')];
    expect(await host.request('POST', '/emails/batch', { body: batch })).toMatchObject({ status: 403 });

    await host.request('PATCH', `/domains/${id}`, { body: { capabilities: { sending: 'disabled' } } });
    await until(async () => (await send('a@shop.test')).status === 403);
    expect(await send('a@shop.test')).toMatchObject(notVerified('shop.test'));
  });

  it('are asked again at delivery after an hour', async () => {
    const id = await verified('late.test');
    const waiting = await post(host, 'late@to.test', { from: 'a@late.test', scheduled_at: 'in 2 hours' });
    await host.request('DELETE', `/domains/${id}`);
    await host.query("UPDATE nestjs_emails.emails SET created_at = created_at - interval '2 hours' WHERE id = $1", [
      waiting,
    ]);
    await host.request('PATCH', `/emails/${waiting}`, { body: { scheduled_at: new Date().toISOString() } });
    await untilShown(host, waiting, 'failed');
    const { body } = await host.request<{ data: object[] }>('GET', `/emails/${waiting}/events`);
    expect(body.data).toContainEqual(expect.objectContaining({ type: 'failed', reason_code: 'domain_not_verified' }));
    expect(sink.messages).toEqual([]);
  });
});

describe(`API keys of a domain, queue on ${queueKind()}`, () => {
  it('send from it alone, and from none when it is deleted', async () => {
    const [id] = [await verified('bound.test'), await verified('free.test')];
    const make = (fields: object) =>
      host.request<{ token: string }>('POST', '/api-keys', { body: { name: 'key', ...fields } });
    const { status, body } = await make({ permission: 'sending_access', domain_id: id.toUpperCase() });
    expect(status).toBe(201);
    expect(await send('a@bound.test', body.token)).toMatchObject({ status: 200 });
    expect(await send('a@free.test', body.token)).toMatchObject(notAuthorized('free.test'));
    expect(await send('a@sub.bound.test', body.token)).toMatchObject(notAuthorized('sub.bound.test'));
    expect(await send('a@free.test')).toMatchObject({ status: 200 });
    const batch = { body: [email('a@bound.test'), email('a@free.test')], token: body.token };
    expect(await host.request('POST', '/emails/batch', batch)).toMatchObject({ status: 403 });
    const { body: keys } = await host.request<{ data: { domain_id: string | null }[] }>('GET', '/api-keys');
    expect(keys.data.map(({ domain_id }) => domain_id)).toContain(id);

    const unknown = '0192f0c1-2345-7abc-8def-0123456789ab';
    for (const fields of [
      { domain_id: id },
      { permission: 'full_access', domain_id: id },
      { page_role: 'viewer', domain_id: id },
      { permission: 'sending_access', domain_id: unknown },
      { permission: 'sending_access', domain_id: 'bound.test' },
    ]) {
      expect(await make(fields)).toMatchObject({ status: 422, body: { name: 'validation_error' } });
    }

    await host.request('DELETE', `/domains/${id}`);
    // Each answer about domains is kept for a second.
    await until(async () => {
      const { body: refused } = await host.request<{ name?: string }>('POST', '/emails', {
        body: email('a@bound.test'),
        token: body.token,
      });
      return refused.name === 'restricted_api_key';
    });
    expect(await send('a@bound.test', body.token)).toMatchObject(notAuthorized('bound.test'));
  });
});
