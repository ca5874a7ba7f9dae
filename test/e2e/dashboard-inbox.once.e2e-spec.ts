import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { httpRequest } from '../support/requests/http-request.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface List {
  has_more: boolean;
  total: number;
  data: { id: string; subject: string }[];
}

let host: RunningHost;
let client: DashboardClient;
let first: string;
/** The real server. */
let relay: SmtpSink;

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const list = async (query = '') => (await client.ask<List>('GET', `/inbox/messages${query}`)).body;
const subjects = async (query = '') => (await list(query)).data.map(({ subject }) => subject);

async function received(subject: string, more: object = {}): Promise<string> {
  const id = await post(host, 'to@to.test', { subject, ...more });
  await untilShown(host, id, 'delivered');
  return id;
}

beforeAll(async () => {
  relay = await SmtpSink.start();
  host = await startHost({ services: 'none', env: { INBOX_RELEASE_URL: relay.url } });
  client = await DashboardClient.signedIn(host);
  const content = Buffer.from('<script>').toString('base64');
  first = await received('First', {
    html: '<img src="https://a.test/x.png">',
    attachments: [{ filename: 'Grüße "1".html', content, content_type: 'text/html' }],
  });
  await received('Second über');
  await received('Third');
});

describe('the inbox of the dashboard', () => {
  it('has the received messages, newest first, in pages', async () => {
    expect(await subjects()).toEqual(['Third', 'Second über', 'First']);
    const page = await list('?limit=2');
    expect(page).toMatchObject({ has_more: true, total: 3 });
    expect(await subjects(`?limit=2&after=${page.data[1]?.id}`)).toEqual(['First']);
    for (const limit of ['0', '-1', 'x', '1e9']) expect(await subjects(`?limit=${limit}`)).not.toHaveLength(0);
  });

  it('has a tolerant search', async () => {
    expect(await subjects('?search=%C3%9CBER')).toEqual(['Second über']);
    expect(await subjects('?search=TO@to.test')).toHaveLength(3);
    expect(await subjects('?search=none')).toEqual([]);
  });

  it.each([
    ['to:to@ subject:first', ['First']],
    ['from:nobody', []],
    ['has:attachment', ['First']],
    ['subject:"second über"', ['Second über']],
  ])('searches by filters: %s', async (search, found) => {
    expect(await subjects(`?search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  it('shows nothing for a filter that does not exist, and says so', async () => {
    const answer = await client.ask('GET', '/inbox/messages?search=cc:jane');
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('`cc:jane` is no filter.') },
    });
  });

  it('has the addresses of every outcome that the inbox simulates', async () => {
    const { body } = await client.ask<{ hints: { address: string }[] }>('GET', '/inbox/messages');
    const outcomes = {
      'delivered@example.com': 'delivered',
      'bounced@example.com': 'bounced',
      'delayed@example.com': 'delivery_delayed',
      // It would arrive in the middle of another test.
      'slow@example.com': undefined,
      'closed@example.com': 'delivered',
      'toomuch@example.com': 'delivery_delayed',
      'dead@example.com': 'delivery_delayed',
      'later-bounced@example.com': 'bounced',
      'complained@example.com': 'complained',
      'away@example.com': 'delivered',
      'suppressed@example.com': 'suppressed',
    };
    expect(body.hints.map(({ address }) => address)).toEqual(Object.keys(outcomes));
    for (const [address, state] of Object.entries(outcomes)) {
      if (state === undefined) continue;
      const id = await post(host, address, { subject: 'Simulated' });
      await untilShown(host, id, state);
      // It would arrive at its next attempt, in the middle of another test.
      if (state === 'delivery_delayed') await host.request('POST', `/emails/${id}/cancel`);
    }
    for (const { id } of (await list('?search=subject:simulated')).data)
      await client.ask('DELETE', `/inbox/messages/${id}`);
  });

  it('parses a message, and finds its email', async () => {
    const { id = '' } = (await list()).data[2] ?? {};
    expect(await client.ask('GET', `/inbox/messages/${id}`)).toMatchObject({
      status: 200,
      body: {
        id,
        envelope: { to: ['to@to.test'] },
        subject: 'First',
        has_html: true,
        remote_images: 1,
        email_id: first,
        attachments: [{ index: 0, content_type: 'text/html', size: 8 }],
      },
    });
    const source = await client.ask<string>('GET', `/inbox/messages/${id}/source`);
    expect(source.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline',
    });
    expect(source.body).toContain('Subject: First');
    const saved = await client.ask<string>('GET', `/inbox/messages/${id}/source?download=1`);
    expect(saved.headers).toMatchObject({ 'content-type': 'message/rfc822' });
    expect(saved.body).toBe(source.body);
  });

  it('serves attachments as downloads only', async () => {
    const { id = '' } = (await list()).data[2] ?? {};
    const answer = await client.ask<string>('GET', `/inbox/messages/${id}/attachments/0`);
    expect(answer).toMatchObject({
      status: 200,
      body: '<script>',
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="Gr__e _1_.html"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      },
    });
    for (const index of ['1', '-1', 'x', 'length']) {
      expect((await client.ask('GET', `/inbox/messages/${id}/attachments/${index}`)).status).toBe(404);
    }
  });

  it('shows images by their content, and no other attachment', async () => {
    await received('Images', {
      attachments: [
        { filename: 'pixel.html', content: PIXEL, content_type: 'text/html' },
        { filename: 'page.png', content: Buffer.from('<script>').toString('base64'), content_type: 'image/png' },
      ],
    });
    const { id = '' } = (await list()).data[0] ?? {};
    expect((await client.ask('GET', `/inbox/messages/${id}`)).body).toMatchObject({
      attachments: [{ is_image: true }, { is_image: false }],
    });
    expect(await client.ask('GET', `/inbox/messages/${id}/thumbnails/0`)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      },
    });
    for (const index of ['1', '2', '-1', 'x']) {
      expect((await client.ask('GET', `/inbox/messages/${id}/thumbnails/${index}`)).status).toBe(404);
    }
    await client.ask('DELETE', `/inbox/messages/${id}`);
  });

  it('names what common mail programs do not support', async () => {
    await received('Modern', { html: '<p style="display: flex">x</p><video></video><video></video>' });
    const { id = '' } = (await list()).data[0] ?? {};
    expect((await client.ask('GET', `/inbox/messages/${id}`)).body.unsupported).toEqual([
      { feature: 'video', count: 2 },
      { feature: 'flex', count: 1 },
    ]);
    await client.ask('DELETE', `/inbox/messages/${id}`);
  });

  it('releases a message to real recipients, byte for byte, and has their answers', async () => {
    relay.onRcpt = (address) => (address.startsWith('nobody') ? '550 5.1.1 no such mailbox' : undefined);
    const { id = '', subject } = (await list()).data[0] ?? {};
    const release = (to: unknown) => client.ask('POST', `/inbox/messages/${id}/release`, { body: { to } });
    expect(await release(['me@real.test', 'nobody@real.test'])).toMatchObject({
      status: 200,
      body: {
        recipients: [
          { address: 'me@real.test', accepted: true },
          { address: 'nobody@real.test', accepted: false, reply: '550 5.1.1 no such mailbox' },
        ],
      },
    });
    expect(relay.messages).toHaveLength(1);
    const { raw, envelope } = relay.messages[0] ?? {};
    expect(envelope?.to).toEqual(['me@real.test']);
    const source = await client.ask<string>('GET', `/inbox/messages/${id}/source?download=1`);
    expect(raw?.toString()).toBe(source.body);
    expect(source.body).toContain(`Subject: ${subject}`);
    for (const to of [[], 'me@real.test', ['me@real.test>\r\nRSET'], ['no address']]) {
      expect((await release(to)).status).toBe(422);
    }
    expect((await client.ask('POST', '/inbox/messages/x/release', { body: { to: ['a@b.test'] } })).status).toBe(404);
    expect((await client.ask('GET', `/inbox/messages/${id}/release`)).status).toBe(405);
    const headers = { 'x-emails-page': undefined };
    const forged = { headers, body: { to: ['a@b.test'] } };
    expect((await client.ask('POST', `/inbox/messages/${id}/release`, forged)).status).toBe(403);
    expect(relay.messages).toHaveLength(1);
  });

  it.each([{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }, { host: 'rebound.example' }])(
    'is for this machine alone: %j',
    async (headers) => {
      expect((await client.ask('GET', '/inbox/messages', { headers })).status).toBe(404);
    },
  );

  it('is for signed-in visitors', async () => {
    const nobody = new DashboardClient(host);
    expect((await nobody.ask('GET', '/inbox/messages')).status).toBe(401);
    expect((await nobody.ask('DELETE', '/inbox/messages')).status).toBe(401);
    const headers = { 'x-emails-page': undefined };
    expect((await client.ask('DELETE', '/inbox/messages?download=1', { headers })).status).toBe(403);
    expect(await subjects()).toHaveLength(3);
  });

  it('redirects browsers, and answers programs', async () => {
    const browser = { accept: 'text/html,*/*;q=0.8' };
    expect(await httpRequest(host.url, 'GET', '/inbox', { headers: browser })).toMatchObject({
      status: 303,
      headers: { location: '/dashboard/inbox' },
    });
    expect(await httpRequest(host.url, 'GET', '/inbox')).toMatchObject({ status: 200, body: { object: 'list' } });
  });

  it('removes one, and all', async () => {
    const { id = '' } = (await list()).data[0] ?? {};
    expect((await client.ask('DELETE', `/inbox/messages/${id}`)).status).toBe(200);
    for (const path of ['', '/source', '/attachments/0']) {
      expect((await client.ask('GET', `/inbox/messages/${id}${path}`)).status).toBe(404);
    }
    expect((await client.ask('DELETE', `/inbox/messages/${id}`)).status).toBe(404);
    expect((await client.ask('DELETE', '/inbox/messages')).status).toBe(200);
    expect(await subjects()).toEqual([]);
  });
});
