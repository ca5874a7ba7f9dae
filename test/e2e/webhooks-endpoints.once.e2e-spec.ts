import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { EXPIRED, MISNAMED, TEST_CERTIFICATE, TEST_KEY } from '../support/servers/certificate.js';

interface Got {
  id: string;
  body: string;
  response: ServerResponse;
}

interface Receiver {
  port: number;
  url: string;
  got: Got[];
  /** Connections with started TLS. */
  secured: number;
}

interface Logged {
  status: string;
  attempts: { http_status_code: number; response: string }[];
}

const ALLOWED = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' };

let host: RunningHost;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'authorities-'));
  const authorities = join(folder, 'ca.pem');
  await writeFile(authorities, [TEST_CERTIFICATE, EXPIRED.cert, MISNAMED.cert].join('\n'));
  afterFile(() => rm(folder, { recursive: true }));
  host = await startHost({ env: { ...ALLOWED, NODE_EXTRA_CA_CERTS: authorities } });
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A receiver with its requests. @param answer handles a request */
async function receive(
  tls?: { cert: string; key: string },
  answer: (got: Got) => void = ({ response }) => response.end(),
): Promise<Receiver> {
  const got: Got[] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const one = { id: String(request.headers['svix-id']), body, response };
      got.push(one);
      answer(one);
    });
  };
  const server = tls ? createHttpsServer(tls, listener) : createServer(listener);
  const port = await listen(server);
  const receiver = { port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/in`, got, secured: 0 };
  server.on('secureConnection', () => receiver.secured++);
  return receiver;
}

/** A network in front of a server that is blocked until it is opened. */
async function gate(port: number): Promise<{ port: number; connections: Socket[]; open: () => Promise<unknown> }> {
  const connections: Socket[] = [];
  let isOpen = false;
  const carry = async (socket: Socket) => {
    const behind = connect(port, '127.0.0.1').on('error', () => socket.destroy());
    socket.once('close', () => behind.destroy());
    socket.pipe(behind).pipe(socket);
    await new Promise((resolve) => behind.once('close', resolve));
  };
  const server = createTcpServer((socket) => {
    connections.push(socket.pause());
    if (isOpen) void carry(socket);
  });
  /** Resolves when those that waited are closed. */
  const open = () => {
    isOpen = true;
    return Promise.all(connections.filter((socket) => !socket.destroyed).map(carry));
  };
  return { port: await listen(server), connections, open };
}

async function subscribe(endpoint: string): Promise<string> {
  const body = { endpoint, events: ['email.scheduled'] };
  const { status, body: made } = await host.request<{ id: string }>('POST', '/webhooks', { body });
  expect(status).toBe(201);
  return made.id;
}

async function happen(to = 'b@to.test'): Promise<void> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { from: 'a@from.test', to, subject: 'Later', text: 'x', scheduled_at };
  expect((await host.request('POST', '/emails', { body })).status).toBe(200);
}

async function logOf(id: string): Promise<Logged[]> {
  const path = `/webhooks/${id}/events`;
  const { data } = (await host.request<{ data: { id: string; status: string }[] }>('GET', path)).body;
  return Promise.all(
    data.map(async ({ id: event, status }) => {
      const { body } = await host.request<{ data: Logged['attempts'] }>('GET', `${path}/${event}/attempts`);
      return { status, attempts: body.data };
    }),
  );
}

describe('a request started before a change of its webhook', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => host.request('DELETE', `/webhooks/${id}`)],
    ['disabled', (id) => host.request('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } })],
    [
      'given another endpoint',
      async (id) => {
        const { url } = await receive();
        return host.request('PATCH', `/webhooks/${id}`, { body: { endpoint: url } });
      },
    ],
  ])('does not go to the old endpoint after the answer when it is %s', async (_, change) => {
    const receiver = await receive({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    const before = await gate(receiver.port);
    const id = await subscribe(`https://127.0.0.1:${before.port}/in`);
    await happen();
    await until(() => before.connections.length > 0, { what: 'a connection' });
    expect(await change(id)).toMatchObject({ status: 200 });
    await before.open();
    expect(receiver.got).toEqual([]);
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('goes to the new endpoint', async () => {
    const receiver = await receive({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    const before = await gate(receiver.port);
    const id = await subscribe(`https://127.0.0.1:${before.port}/in`);
    await happen();
    await until(() => before.connections.length > 0, { what: 'a connection' });
    const after = await receive();
    await host.request('PATCH', `/webhooks/${id}`, { body: { endpoint: after.url } });
    await before.open();
    await until(() => after.got.length === 1, { what: 'a request to the new endpoint' });
    expect(receiver.got).toEqual([]);
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('names no erased person', async () => {
    const receiver = await receive({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    const before = await gate(receiver.port);
    const id = await subscribe(`https://127.0.0.1:${before.port}/in`);
    await happen('jane@erased.test');
    await until(() => before.connections.length > 0, { what: 'a connection' });
    const { body: erasure } = await host.request<{ id: string }>('POST', '/erasures', {
      body: { email: 'jane@erased.test' },
    });
    const status = async () => (await host.request<{ status: string }>('GET', `/erasures/${erasure.id}`)).body.status;
    await until(async () => (await status()) === 'finished', { what: 'an erasure' });
    void before.open();
    await until(async () => receiver.got.length > 0, { what: 'a request' });
    expect(receiver.got.map(({ body }) => body).join()).not.toContain('jane@');
    expect(receiver.got[0]?.body).toContain('erased@erased.invalid');
    await host.request('DELETE', `/webhooks/${id}`);
  });
});

describe('a webhook', () => {
  it('sends nothing from a row that is being changed', async () => {
    const receiver = await receive({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    const before = await gate(receiver.port);
    const id = await subscribe(`https://127.0.0.1:${before.port}/in`);
    await happen();
    await until(() => before.connections.length > 0, { what: 'a connection' });
    const stranger = new pg.Client({ connectionString: host.databaseUrl });
    await stranger.connect();
    afterFile(() => stranger.end());
    await stranger.query('BEGIN');
    // Like an erasure: the row first, then the payload.
    const lock = 'SELECT payload_id FROM nestjs_emails.webhook_events WHERE webhook_id = $1 FOR NO KEY UPDATE';
    const { rows } = await stranger.query(lock, [id]);
    const changed = `UPDATE nestjs_emails.webhook_payloads SET body = '{"type":"changed"}' WHERE id = $1`;
    await stranger.query(changed, [rows[0].payload_id]);
    void before.open();
    await until(() => receiver.secured > 0, { what: 'a connection with TLS' });
    await stranger.query('COMMIT');
    await until(() => receiver.got.length > 0, { what: 'a request' });
    expect(receiver.got.map(({ body }) => body)).toEqual(['{"type":"changed"}']);
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it.each([
    ['expired', EXPIRED],
    ['is of another name', MISNAMED],
  ])('gets nothing over a certificate that %s, and the log says why', async (_, tls) => {
    const receiver = await receive(tls);
    const id = await subscribe(receiver.url);
    await happen();
    await until(async () => (await logOf(id))[0]?.status === 'attempting', { what: 'an attempt' });
    expect(await logOf(id)).toEqual([
      { status: 'attempting', attempts: [expect.objectContaining({ http_status_code: 0, response: 'tls' })] },
    ]);
    expect(receiver.got).toEqual([]);
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('gets an event again, with the same id, after a kill of the worker during the request', async () => {
    let answers = false;
    const receiver = await receive(undefined, ({ response }) => {
      if (answers) response.end();
    });
    const id = await subscribe(receiver.url);
    await happen();
    await until(() => receiver.got.length === 1, { what: 'a request' });
    await host.kill();
    answers = true;
    await host.start();
    expect(await logOf(id)).toEqual([{ status: 'pending', attempts: [] }]);
    // Skips the rest of the lease of half a minute.
    await host.query('UPDATE nestjs_emails.webhooks SET leased_until = now() WHERE id = $1', [id]);
    await until(async () => (await logOf(id))[0]?.status === 'success', { what: 'a success' });
    expect(receiver.got.map((one) => one.id)).toEqual([receiver.got[0]?.id, receiver.got[0]?.id]);
    expect(await logOf(id)).toMatchObject([{ attempts: [{ http_status_code: 200 }] }]);
    await host.request('DELETE', `/webhooks/${id}`);
  });
});

describe('a lost secret key', () => {
  it('is reported at the start; nothing is sent and no attempt used up until the secret is rotated', async () => {
    const receiver = await receive();
    const first = await startHost({ env: { ...ALLOWED, SECRET_KEY: 'a'.repeat(32) } });
    const body = { endpoint: receiver.url, events: ['email.scheduled'] };
    const { id } = (await first.request<{ id: string }>('POST', '/webhooks', { body })).body;
    await first.stop();
    const second = await startHost({ beside: first, env: { ...ALLOWED, SECRET_KEY: 'b'.repeat(32) } });
    expect(second.output).toContain('The signing secrets of 1 webhooks cannot be read');
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    const email = { from: 'a@from.test', to: 'b@to.test', subject: 'Later', text: 'x', scheduled_at };
    await second.request('POST', '/emails', { body: email });
    const isPaused = `SELECT FROM nestjs_emails.webhooks WHERE leased_until > now() + interval '30 s'`;
    await until(async () => (await second.query(isPaused)).length > 0, { what: 'a webhook that is left alone' });
    const log = await second.query('SELECT status, attempts FROM nestjs_emails.webhook_events');
    expect([log, receiver.got]).toEqual([[{ status: 'pending', attempts: 0 }], []]);
    expect((await second.request('GET', `/webhooks/${id}`)).status).toBe(500);
    expect((await second.request('POST', `/webhooks/${id}/signing-secret/rotate`)).status).toBe(200);
    await until(() => receiver.got.length === 1, { what: 'a request' });
    expect((await second.request('GET', `/webhooks/${id}`)).status).toBe(200);
  });
});
