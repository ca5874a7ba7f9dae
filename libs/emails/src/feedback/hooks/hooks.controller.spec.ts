import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { Injectable, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { accountResolverOf, mounted } from '../../shared/routes/mounted.js';
import type { IncomingReport } from '../incoming/incoming-report.js';
import type { IncomingResult } from '../incoming/incoming-reports.service.js';
import { HooksController } from './hooks.controller.js';
import type { HooksOptions } from './hooks.options.js';
import { hookProviders } from './hooks.providers.js';
import { INCOMING_REPORTS } from './incoming-reports.js';
import { relayPayload } from './relay-payload.spec-tools.js';
import { SnsCertificates } from './sns/sns-certificates.js';
import { ISSUER_URL, makeSnsChain, snsBody } from './sns/sns-chain.spec-tools.js';
import { SNS_FILES } from './sns/sns-files.js';

const OPTIONS = Symbol('options');
const AUTH = 'relay:a-long-password';
const MAILGUN_KEY = 'a-signing-key-of-mailgun';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const accountResolver = { resolve: () => ({ accountId: 'acme', permission: 'full_access' as const }) };
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:feedback';
const CERTIFICATE_URL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
const chain = makeSnsChain();
const files = {
  get: async (at: string) => (at === ISSUER_URL ? chain.intermediate : Buffer.from(chain.leaf)),
};

const ALL: HooksOptions = {
  postmark: { auth: AUTH },
  mailgun: { key: MAILGUN_KEY },
  sendgrid: { key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') },
  ses: { topics: [TOPIC] },
};

@Injectable()
class Never {
  canActivate = () => false;
}

const recorded: IncomingReport[] = [];
let failure: Error | undefined;
let result: IncomingResult = 'recorded';
let url = '';
const apps: NestExpressApplication[] = [];

/** Starts an application with these relays. @returns its address */
async function start(hooks: HooksOptions): Promise<string> {
  const http = mounted({
    module: 'HooksModule',
    guards: [Never],
    controllers: [],
    forStrangers: [HooksController],
    providers: [accountResolverOf(OPTIONS)],
    role: 'all',
    routes: true,
  });
  const record = async (report: IncomingReport) => {
    if (failure) throw failure;
    recorded.push(report);
    return result;
  };

  @Module({
    imports: http.imports,
    controllers: http.controllers,
    providers: [
      ...http.providers,
      ...hookProviders(OPTIONS),
      { provide: OPTIONS, useValue: { hooks, accountResolver } },
      { provide: INCOMING_REPORTS, useValue: { record } },
      { provide: SNS_FILES, useValue: files },
      { provide: SnsCertificates, useValue: new SnsCertificates(files, [chain.root]) },
      // Each token is new to it.
      { provide: DataSource, useValue: { query: async () => [{}] } },
    ],
  })
  class HooksModule {}
  const app = await NestFactory.create<NestExpressApplication>(HooksModule, { bodyParser: false, logger: false });
  apps.push(app);
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

const basic = { authorization: `Basic ${Buffer.from(AUTH).toString('base64')}` };

/** Sends a body to a relay's hook. */
function post(
  provider: string,
  body: RequestInit['body'],
  headers: Record<string, string> = {},
  at = url,
): Promise<Response> {
  return fetch(`${at}/hooks/${provider}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

/** Sends one event to a relay's hook, with the relay's proof. */
function postSigned(provider: 'sendgrid' | 'mailgun' | 'postmark' | 'ses', event: object): Promise<Response> {
  const text = JSON.stringify(event);
  switch (provider) {
    case 'sendgrid':
      return post(provider, `[${text}]`, signedBySendgrid(Buffer.from(`[${text}]`)));
    case 'mailgun':
      return post(provider, bodyOfMailgun(text), { 'x-forwarded-proto': 'https' });
    case 'postmark':
      return post(provider, text, basic);
    case 'ses':
      return post(provider, bodyOfSns(text));
  }
}

function bodyOfMailgun(event: string): string {
  const [token, timestamp] = ['t'.repeat(50), String(Math.floor(Date.now() / 1_000))];
  const signature = createHmac('sha256', MAILGUN_KEY)
    .update(timestamp + token)
    .digest('hex');
  return `{"signature": ${JSON.stringify({ token, timestamp, signature })}, "event-data": ${event}}`;
}

function bodyOfSns(Message: string): Buffer {
  const message = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Message,
    Timestamp: new Date().toISOString(),
    SigningCertURL: CERTIFICATE_URL,
  };
  return snsBody(message, chain.key, 'sha1');
}

function signedBySendgrid(body: Buffer): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = sign('sha256', Buffer.concat([Buffer.from(at), body]), privateKey).toString('base64');
  return { 'x-twilio-email-event-webhook-signature': signature, 'x-twilio-email-event-webhook-timestamp': at };
}

beforeAll(async () => {
  url = await start(ALL);
});

beforeEach(() => {
  recorded.length = 0;
  failure = undefined;
  result = 'recorded';
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
});

afterAll(async () => {
  for (const app of apps) await app.close();
});

describe('POST /hooks/:provider', () => {
  it('answers 200 without a body once the reports are recorded', async () => {
    const answer = await post('postmark', relayPayload('postmark-bounce'), basic);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(recorded).toMatchObject([{ kind: 'bounced', recipient: 'john@example.com' }]);
  });

  it('reads the bytes of a signed batch, of any content type', async () => {
    const body = relayPayload('sendgrid-events');
    const answer = await post('sendgrid', body, { ...signedBySendgrid(body), 'content-type': 'text/plain' });
    expect(answer.status).toBe(200);
    expect(recorded.map(({ kind }) => kind)).toEqual(['deferred', 'delivered', 'bounced', 'failed', 'complained']);
  });

  it('reads a large batch of unknown length', async () => {
    const event = { event: 'delivered', 'smtp-id': '<1@example.com>', filler: 'x'.repeat(1_000) };
    const body = Buffer.from(JSON.stringify(Array.from({ length: 900 }, () => event)));
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < body.length; at += 10_000) controller.enqueue(body.subarray(at, at + 10_000));
        controller.close();
      },
    });
    expect((await post('sendgrid', stream, signedBySendgrid(body))).status).toBe(200);
    expect(recorded).toHaveLength(900);
  });

  it('records what Mailgun signed', async () => {
    const body = bodyOfMailgun('{"event": "complained", "recipient": "jane@example.com"}');
    expect((await post('mailgun', body, { 'x-forwarded-proto': 'https' })).status).toBe(200);
    expect(recorded).toEqual([{ kind: 'complained', source: 'relay', recipient: 'jane@example.com' }]);
    expect((await post('mailgun', body)).status).toBe(401);
  });

  it('records what SNS signed, as plain text', async () => {
    const body = bodyOfSns(relayPayload('ses-bounce').toString());
    expect((await post('ses', body, { 'content-type': 'text/plain; charset=UTF-8' })).status).toBe(200);
    expect(recorded.map(({ recipient }) => recipient)).toEqual(['jane@example.com', 'richard@example.com']);
    expect((await post('ses', body.toString().replace('jane@', 'john@'))).status).toBe(401);
    expect(recorded).toHaveLength(2);
  });

  it('answers 200 to events without use', async () => {
    expect((await post('postmark', '{"RecordType":"Open"}', basic)).status).toBe(200);
    expect(recorded).toEqual([]);
  });

  it.each(['postmark', 'sendgrid', 'mailgun', 'ses'])(
    'answers 401 without a proof, and records nothing: %s',
    async (name) => {
      const answer = await post(name, '{"RecordType":"SpamComplaint","Email":"a@example.com"}');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBeTruthy();
      expect(await answer.json()).toMatchObject({ statusCode: 401, name: 'invalid_access' });
      expect(recorded).toEqual([]);
    },
  );

  it.each(['unknown', 'constructor', '__proto__', 'POSTMARK', 'ses%00'])('answers 404 to /hooks/%s', async (name) => {
    expect((await post(name, '{}', basic)).status).toBe(404);
  });

  it('answers 404 for relays that are not configured', async () => {
    const bare = await start({});
    for (const name of Object.keys(ALL)) expect((await post(name, '{}', basic, bare)).status).toBe(404);
  });

  it('answers 405 to other methods', async () => {
    const answer = await fetch(`${url}/hooks/postmark`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['announced', Buffer.alloc(1_000_001, ' ')],
    ['not announced', new Blob([Buffer.alloc(1_000_001, ' ')]).stream()],
  ])('answers 413 above 1 MB, %s', async (_, body) => {
    expect((await post('postmark', body, basic)).status).toBe(413);
    expect(recorded).toEqual([]);
  });

  it('reads exactly 1 MB', async () => {
    const body = Buffer.alloc(1_000_000, ' ');
    body.write('{"RecordType":"Delivery"}');
    expect((await post('postmark', body, basic)).status).toBe(200);
  });

  it.each([' ', '[', '[]', '"x"', '\ufeff{', `${'['.repeat(400_000)}`])(
    'answers 400 to a body that is no event',
    async (body) => {
      expect((await post('postmark', body, basic)).status).toBe(400);
    },
  );

  it('answers 415 to a compressed body', async () => {
    expect((await post('postmark', '{}', { ...basic, 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('answers 503 when the database is away, so that the relay sends it again', async () => {
    failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const answer = await post('postmark', relayPayload('postmark-bounce'), basic);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    failure = ApiError.locked();
    expect((await post('postmark', relayPayload('postmark-bounce'), basic)).status).toBe(503);
  });

  it.each([
    ['sendgrid', 'timestamp', () => Math.floor(Date.now() / 1_000)],
    ['mailgun', 'timestamp', () => Date.now() / 1_000],
    ['postmark', 'DeliveredAt', () => new Date().toISOString()],
    ['ses', 'mail', () => ({ timestamp: new Date().toISOString() })],
  ] as const)('answers 503 to a new report of an email that is not known yet: %s', async (relay, field, now) => {
    const send = (time?: unknown) => {
      const events = {
        sendgrid: { event: 'delivered', 'smtp-id': '<1@example.com>' },
        mailgun: { event: 'delivered', message: { headers: { 'message-id': '1@example.com' } } },
        postmark: { RecordType: 'Delivery', MessageID: '1' },
        ses: { eventType: 'Delivery', delivery: { recipients: ['jane@example.com'] } },
      };
      return postSigned(relay, { ...events[relay], ...(time !== undefined && { [field]: time }) });
    };
    result = 'unmatched';
    const answer = await send(now());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '20']);
    expect((await send()).status).toBe(200);
    result = 'unchanged';
    expect((await send(now())).status).toBe(200);
    expect(recorded).toHaveLength(3);
  });

  it('answers 500 to a bug, and shows nothing of it', async () => {
    failure = new Error('jane@example.com');
    const answer = await post('postmark', relayPayload('postmark-bounce'), basic);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('jane');
  });

  it('reads each of several large bodies in a turn of its own', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn++;
      next = setImmediate(count);
    });
    const turns: number[] = [];
    const read = () => {
      turns.push(turn);
      return { reports: [] };
    };
    const relays = new Map([['postmark', { admit: () => {}, read }]]);
    const controller = new HooksController(relays, { record: async () => {} } as never);
    const request = () =>
      Object.assign(Readable.from([Buffer.alloc(70_000)]), { headers: { 'content-length': '70000' }, socket: {} });
    await Promise.all([1, 2, 3].map(() => controller.receive('postmark', { request: request() } as never)));
    clearImmediate(next);
    expect(new Set(turns).size).toBe(3);
  });
});
