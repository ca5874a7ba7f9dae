import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { Resend } from 'resend';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/servers/certificate.js';

interface Got {
  headers: Record<string, string>;
  body: string;
}

/** Subjects of any content. */
const SUBJECT = 'Grüße "\\ \u2028 😀';

let host: RunningHost;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, TEST_CERTIFICATE);
  afterFile(() => rm(folder, { recursive: true }));
  host = await startHost({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: authority } });
});

/** A receiver with its requests. */
async function receive(scheme: 'http' | 'https', answer = 200): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const listener: RequestListener = (request: IncomingMessage, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(answer).end();
    });
  };
  const tls = { cert: TEST_CERTIFICATE, key: TEST_KEY };
  const server = scheme === 'http' ? createServer(listener) : createHttpsServer(tls, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/in`, got };
}

async function subscribe(endpoint: string): Promise<{ id: string; signing_secret: string }> {
  const body = { endpoint, events: ['email.scheduled'] };
  return (await host.request<{ id: string; signing_secret: string }>('POST', '/webhooks', { body })).body;
}

async function happen(): Promise<string> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { from: 'Ann <a@from.test>', to: 'b@to.test', subject: SUBJECT, text: 'x', scheduled_at };
  const { status, body: made } = await host.request<{ id: string }>('POST', '/emails', { body });
  expect(status).toBe(200);
  return made.id;
}

/** @throws if one of the libraries does not accept it */
async function verify({ headers, body }: Got, secret: string): Promise<unknown[]> {
  const of = (vendor: string, name: string) => headers[`${vendor}-${name}`] ?? '';
  return [
    new SvixWebhook(secret).verify(body, headers),
    new StandardWebhook(secret).verify(body, headers),
    await new Resend('re_x').webhooks.verify({
      payload: body,
      headers: { id: of('svix', 'id'), timestamp: of('svix', 'timestamp'), signature: of('svix', 'signature') },
      webhookSecret: secret,
    }),
  ];
}

describe('a receiver of webhooks', () => {
  it.each(['http', 'https'] as const)(
    'over %s verifies the sender with any library, also during a rotation',
    async (scheme) => {
      const { url, got } = await receive(scheme);
      const { id, signing_secret: first } = await subscribe(url);
      const email = await happen();
      await until(() => got.length === 1, { what: 'a message' });
      const message = got[0] as Got;
      const told = {
        type: 'email.scheduled',
        data: { email_id: email, subject: SUBJECT, to: ['b@to.test'], tags: {} },
      };
      for (const read of await verify(message, first)) expect(read).toMatchObject(told);
      await expect(
        verify({ ...message, body: message.body.replace('b@to.test', 'c@to.test') }, first),
      ).rejects.toThrow();

      const { body: rotated } = await host.request<{ signing_secret: string }>(
        'POST',
        `/webhooks/${id}/signing-secret/rotate`,
      );
      await happen();
      await until(() => got.length === 2, { what: 'a message after the rotation' });
      await verify(got[1] as Got, first);
      await verify(got[1] as Got, rotated.signing_secret);
      await expect(verify(message, rotated.signing_secret)).rejects.toThrow();
      await host.request('DELETE', `/webhooks/${id}`);
    },
  );

  it('that is gone is disabled at once, and gets nothing more', async () => {
    const { url, got } = await receive('http', 410);
    const { id } = await subscribe(url);
    await happen();
    const status = async () => (await host.request<{ status: string }>('GET', `/webhooks/${id}`)).body.status;
    await until(async () => (await status()) === 'disabled', { what: 'a disabled webhook' });
    const other = await receive('http');
    await subscribe(other.url);
    await happen();
    await until(() => other.got.length === 1, { what: 'a message to another' });
    expect(got).toHaveLength(1);
  });

  it('with a locked payload makes an erasure wait', async () => {
    const { url, got } = await receive('http');
    const { id } = await subscribe(url);
    await happen();
    await until(() => got.length === 1, { what: 'a message' });
    const stored = async () =>
      host.query(
        'SELECT p.body FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhook_payloads p ON p.id = e.payload_id WHERE webhook_id = $1',
        [id],
      );
    expect(JSON.stringify(await stored())).toContain('b@to.test');
    const stranger = new pg.Client({ connectionString: host.databaseUrl });
    await stranger.connect();
    afterFile(() => stranger.end());
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM nestjs_emails.webhook_events WHERE webhook_id = $1 FOR UPDATE', [id]);
    await host.request('POST', '/erasures', { body: { email: 'b@to.test' } });
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%people @>%'`;
    await until(async () => (await host.query(waiting)).length > 0, { what: 'an erasure that waits' });
    await stranger.query('ROLLBACK');
    await until(async () => !JSON.stringify(await stored()).includes('b@to.test'), { what: 'an erased payload' });
    expect(JSON.stringify(await stored())).not.toContain('Grüße');
  });
});
