import { randomUUID } from 'node:crypto';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';

const policy = (images: string) =>
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
  `img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
const HOSTILE = '<script>alert(1)</script><img src="https://a.test/x.png"><img src="cid:logo">';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let host: RunningHost;
let client: DashboardClient;
let email: string;

/** A frame sends only the cookie. */
const frame = (path: string, headers = {}) =>
  client.ask<string>('GET', `/frames/${path}`, { headers: { 'x-emails-page': undefined, ...headers } });

beforeAll(async () => {
  host = await startHost({ services: 'none' });
  client = await DashboardClient.signedIn(host);
  const logo = { filename: 'l.png', content: 'cG5n', content_type: 'image/png', content_id: 'logo' };
  email = await post(host, 'to@to.test', { html: HOSTILE, attachments: [logo] });
  await untilShown(host, email, 'delivered');
});

const framed = async () => {
  const { body } = await client.ask<{ data: { id: string }[] }>('GET', '/inbox/messages');
  return [`emails/${email}`, `inbox/${body.data[0]?.id}`];
};

describe('frames', () => {
  it('have no rights, and load nothing remote', async () => {
    for (const path of await framed()) {
      expect(await frame(path)).toMatchObject({
        status: 200,
        headers: {
          'content-security-policy': policy('data:'),
          'content-type': 'text/html; charset=utf-8',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
        body: expect.stringMatching(/^<!doctype html><meta charset="utf-8"><base target="_blank">/),
      });
    }
  });

  it('show remote images on request, and attached ones always', async () => {
    for (const path of await framed()) {
      const { headers, body } = await frame(`${path}?images=1`);
      expect(headers['content-security-policy']).toBe(policy('data: http: https:'));
      expect(body).toContain('<img src="data:image/png;base64,cG5n">');
    }
  });

  it('have a dark ground on request, and no more rights on it', async () => {
    for (const path of await framed()) {
      const { headers, body } = await frame(`${path}?dark=1`);
      expect(headers['content-security-policy']).toBe(policy('data:'));
      expect(body).toMatch(/^<!doctype html>.{0,60}<meta name="color-scheme" content="dark">/);
    }
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://a.test' },
  ])('refuse other pages: %j', async (headers) => {
    expect((await frame(`emails/${email}`, headers)).status).toBe(403);
  });

  it.each([{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }, { host: 'rebound.example' }])(
    'show nothing of the inbox to other machines: %j',
    async (headers) => {
      const [, inbox = ''] = await framed();
      expect((await frame(inbox, headers)).status).toBe(404);
    },
  );

  it('are for signed-in visitors', async () => {
    for (const path of await framed()) expect((await frame(path, { cookie: undefined })).status).toBe(401);
  });

  it.each(['emails/x', `emails/${randomUUID()}`, 'emails', 'inbox/..', 'inbox/x', 'inbox/', 'nothing', ''])(
    'has nothing at %j',
    async (path) => {
      expect(await frame(path)).toMatchObject({ headers: { 'content-type': expect.stringContaining('json') } });
      expect([404, 422]).toContain((await frame(path)).status);
    },
  );

  it('show no email of another account', async () => {
    const { token } = await host.account('other');
    const stranger = await DashboardClient.signedIn(host, token);
    // Includes one without images, for which no other check of the account runs.
    for (const id of [email, await post(host, 'to@to.test', { html: '<p>theirs</p>' })]) {
      expect((await frame(`emails/${id}`)).status).toBe(200);
      expect((await stranger.ask('GET', `/frames/emails/${id}`)).status).toBe(404);
    }
  });

  it('show the preference page of a topic to every role, with forms that do nothing', async () => {
    const made = async (body: object) => (await host.request<{ id: string }>('POST', '/topics', { body })).body.id;
    const news = await made({ name: 'News & <b>more</b>', default_subscription: 'opt_in', visibility: 'public' });
    await made({ name: 'Offers', default_subscription: 'opt_out', visibility: 'public' });
    await made({ name: 'Secret', default_subscription: 'opt_out', visibility: 'private' });
    const shown = await frame(`topics/${news}`);
    expect(shown).toMatchObject({ status: 200, headers: { 'content-security-policy': policy('data: http: https:') } });
    expect(shown.body).toContain('News &amp; &lt;b&gt;more&lt;/b&gt;');
    expect(shown.body).toContain('Offers');
    expect(shown.body).not.toContain('Secret');
    expect((await client.ask('GET', '/session')).body).toMatchObject({ features: { choices: true } });
    const { token } = await host.account('without topics');
    const stranger = await DashboardClient.signedIn(host, token);
    expect((await stranger.ask('GET', `/frames/topics/${news}`)).status).toBe(404);
    for (const id of [randomUUID(), 'new', '']) expect((await frame(`topics/${id}`)).status).toBe(404);
    expect((await host.request('GET', '/contacts')).body).toMatchObject({ data: [] });
  });

  it('show a template during its editing', async () => {
    const body = new URLSearchParams({ html: '<b>{{{NAME}}}</b>', subject: 'x', variables: '{"NAME":"<i>"}' });
    const asked = (headers: object) =>
      client.ask<string>('POST', '/frames/template', { body: `${body}`, headers: { ...FORM, ...headers } });
    expect(await asked({})).toMatchObject({
      status: 200,
      headers: { 'content-security-policy': policy('data:') },
      body: expect.stringContaining('<b>'),
    });
    expect((await asked({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await asked({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await frame('template')).status).toBe(405);
    const wrong = await client.ask<string>('POST', '/frames/template', { body: 'html=x&variables={', headers: FORM });
    expect(wrong.body).toContain('The sample values must be JSON.');
    for (const variables of ['null', '[]', '5', '"x"']) {
      const odd = await client.ask('POST', '/frames/template', {
        body: `${new URLSearchParams({ html: '{{{NAME}}}', subject: 'x', variables })}`,
        headers: FORM,
      });
      expect(odd.status).toBeLessThan(500);
    }
  });
});
