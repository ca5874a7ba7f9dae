import { createHmac } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Resend } from 'resend';
import { until } from '../support/basics/wait-for.js';
import { type HostProcess, spawnProgram } from '../support/hosts/host-process.js';
import { packageFolder } from '../support/jest/test-environment.js';
import { httpRequest, type RequestOptions } from '../support/requests/http-request.js';
import { emptyDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Output of the strangers' hosts. */
interface Hosts {
  port: number;
  token: string;
  operations: string[];
  operationIds: string[];
  /** Errors of the hosts that do not start. */
  refusals: Record<string, string>;
  /** True if the feature of a stranger can inject the service to send with. */
  sendsByFeature: boolean;
  /** The email that was sent without routes. */
  sent: string;
}

let sink: SmtpSink;
let hosts: Hosts;
let program: HostProcess;

beforeAll(async () => {
  const [started, database] = await Promise.all([SmtpSink.start(), emptyDatabase()]);
  sink = started;
  const file = join(packageFolder(), 'strangers.mjs');
  copyFileSync(fileURLToPath(new URL('../hosts/strangers.mjs', import.meta.url)), file);
  program = spawnProgram(file, [], { DATABASE_URL: database.url, SMTP_URL: sink.url });
  await until(() => /^\{"port".*\}$/m.test(program.stdout) || !program.running);
  hosts = JSON.parse(/^\{"port".*\}$/m.exec(program.stdout)?.[0] ?? program.output);
});

function call(method: string, path: string, options: RequestOptions = {}) {
  return httpRequest<Record<string, unknown>>(`http://127.0.0.1:${hosts.port}/api`, method, path, {
    token: hosts.token,
    ...options,
  });
}

const EMAIL = { from: 'from@from.test', to: 'to@to.test', subject: 'Hi', text: 'Works.' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('in an application with a version, a prefix, interceptors, a filter, pipes and a serializer of its own', () => {
  it.each<[string, string, object | undefined, number, object]>([
    ['POST', '/emails', EMAIL, 200, { id: expect.any(String) }],
    ['GET', '/emails', undefined, 200, { object: 'list', data: expect.any(Array) }],
    ['POST', '/emails', { ...EMAIL, to: undefined }, 422, { statusCode: 422, name: 'missing_required_field' }],
    ['PUT', '/emails', EMAIL, 405, { statusCode: 405, name: 'method_not_allowed' }],
    ['POST', '/api-keys', { name: 'own' }, 201, { id: expect.any(String), token: expect.any(String) }],
    ['DELETE', `/api-keys/${NOBODY}`, undefined, 404, { statusCode: 404, name: 'not_found' }],
    ['POST', '/topics', { name: 'News', default_subscription: 'opt_in' }, 201, { object: 'topic' }],
    ['GET', '/topics', undefined, 200, { object: 'list' }],
    ['POST', '/contacts', { email: 'a@b.test' }, 201, { object: 'contact' }],
    ['GET', '/contacts/a@b.test', undefined, 200, { object: 'contact' }],
    ['GET', '/contacts/a%FF', undefined, 400, { statusCode: 400, name: 'validation_error' }],
    ['GET', '/contacts/a@b.test/topics', undefined, 200, { object: 'list' }],
    ['PATCH', '/contacts/nobody@b.test/topics', [], 422, { statusCode: 422 }],
    ['POST', '/templates', { name: 'Hello', html: '<p>Hi</p>' }, 201, { object: 'template' }],
    ['POST', `/templates/${NOBODY}/publish`, undefined, 404, { statusCode: 404, name: 'not_found' }],
    ['POST', '/webhooks', { endpoint: 'https://hooks.test', events: ['email.sent'] }, 201, { object: 'webhook' }],
    ['POST', '/webhooks', { endpoint: 'ftp://hooks.test', events: ['email.sent'] }, 422, { statusCode: 422 }],
    ['GET', '/webhooks', undefined, 200, { object: 'list' }],
    ['GET', `/webhooks/${NOBODY}/events`, undefined, 404, { statusCode: 404, name: 'not_found' }],
    ['POST', '/templates', { name: 7 }, 422, { statusCode: 422, name: 'validation_error' }],
  ])('%s %s %j is answered as in any host', async (method, path, body, status, shown) => {
    const answer = await call(method, path, { body });
    expect(answer).toMatchObject({ status, body: shown });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('sends webhooks', async () => {
    const requests: { headers: IncomingHttpHeaders; payload: string }[] = [];
    const receiver = createServer(async (request, response) => {
      requests.push({ headers: request.headers, payload: await text(request) });
      response.end();
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    try {
      const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const events = ['email.sent', 'contact.created'];
      const { body } = await call('POST', '/webhooks', { body: { endpoint, events } });
      await call('POST', '/contacts', { body: { email: 'told@b.test' } });
      await call('POST', '/emails', { body: { ...EMAIL, subject: 'Told' } });
      await until(() => requests.length === 2, { what: 'two webhooks' });
      const told = requests.map(({ headers, payload }) =>
        new Resend('re_test').webhooks.verify({
          payload,
          headers: {
            id: String(headers['svix-id']),
            timestamp: String(headers['svix-timestamp']),
            signature: String(headers['svix-signature']),
          },
          webhookSecret: String(body.signing_secret),
        }),
      );
      expect(told).toContainEqual(expect.objectContaining({ type: 'email.sent' }));
      expect(told).toContainEqual(expect.objectContaining({ type: 'contact.created' }));
      await call('DELETE', `/webhooks/${body.id}`);
    } finally {
      receiver.close();
    }
  });

  it("keeps status and text of a guard's refusal", async () => {
    const headers = { 'x-plan': 'none' };
    expect(await call('POST', '/emails', { body: EMAIL, headers })).toMatchObject({
      status: 402,
      body: { statusCode: 402, name: 'validation_error', message: 'Choose a plan.' },
    });
  });

  it('reports the failure in the log, and not to the caller', async () => {
    const answer = await call('GET', '/emails', { headers: { 'x-plan': 'broken' } });
    expect(answer).toMatchObject({ status: 500, body: { name: 'application_error' } });
    expect(answer.text).not.toMatch(/plans|disk/);
    await until(() =>
      /The plans cannot be read\..*strangers\.mjs.*Caused by TypeError: No disk\./s.test(program.output),
    );
  });

  it('keeps its own parsers and raw bodies', async () => {
    const body = '{ "type":  "charge.succeeded" }';
    const headers = { 'x-signature': createHmac('sha256', 'whsec').update(body).digest('hex'), 'x-version': '1' };
    expect(await call('POST', '/hooks', { body, headers })).toMatchObject({ status: 201, body: { data: true } });
    // It would be 400 if the body were parsed before the guards.
    expect(await call('POST', '/emails', { body: '{', token: null })).toMatchObject({ status: 401 });
  });

  it('shows exactly its routes in the API document', () => {
    const own = hosts.operations.filter((operation) =>
      /\/api\/(emails|api-keys|topics|contacts|templates|webhooks)/.test(operation),
    );
    expect(own.filter((operation) => operation.endsWith('/emails')).sort()).toEqual([
      'get /api/emails',
      'post /api/emails',
    ]);
    expect(own.filter((operation) => !/^(get|post|patch|delete) /.test(operation))).toEqual([]);
    expect(own).not.toContain('post /api/contacts/imports');
    expect(new Set(hosts.operationIds).size).toBe(hosts.operationIds.length);
  });
});

describe('an application on Fastify', () => {
  it('sends and delivers without the routes', async () => {
    await sink.waitFor(({ raw }) => raw.includes(`<${hosts.sent}@`));
  });

  it('gets one line that says that these need Express', () => {
    expect(hosts.refusals.fastify).toMatch(
      /^Error: (EmailsModule|Feature \w+): its routes need Express [^\n]*fastify[^\n]*$/,
    );
  });
});

describe('a controller of a feature of its own', () => {
  it('gets caller, path and request, behind the key', async () => {
    const found = await call('GET', '/greetings/Jane%20Doe?a=b');
    expect(found).toMatchObject({ status: 200, body: { name: 'Jane Doe', url: '/api/greetings/Jane%20Doe?a=b' } });
    expect(found.body.accountId).toEqual(expect.any(String));
    expect(await call('GET', '/greetings/Jane', { token: null })).toMatchObject({ status: 401 });
    expect(await call('DELETE', '/greetings/Jane')).toMatchObject({ status: 422 });
    expect(await call('DELETE', `/greetings/${NOBODY}`)).toMatchObject({ status: 204, text: '' });
  });
});

it('has a feature of its own inject EmailsService', () => {
  expect(hosts.sendsByFeature).toBe(true);
});

it.each<[string, RegExp]>([
  ['database', /: there is no data source\. Import `TypeOrmModule\.forRoot\({ \.\.\.emailsDatabase\({ features }\)/],
  ['queue', /EmailsModule: its queues have no connection\. Import `BullModule\.forRoot/],
  ['entities', /Feature audience: \w+ is not among the `entities`.* `\.\.\.emailsDatabase\({ features }\)`/],
  ['migrations', /Feature audience: the database lacks table topics.*`\.\.\.emailsDatabase\({ features }\)`/],
  ['twice', /EmailsModule is there twice: .*Call it once/],
  ['featuresTwice', /EmailsFeatureModule is there twice: .*Call it once/],
  ['featureTwice', /EmailsModule: .*`features` has `access` twice: leave one out/],
  ['foreign', /Feature foreign: parameter 1 of `ForeignController\.find` has a decorator that has no effect there/],
  ['withoutEmails', /EmailsFeatureModule: the feature `webhooks` needs emails/],
  ['resolvers', /EmailsModule: `accountResolver` is brought by the feature `access`: leave one of both out/],
])('names the wrong line to an application: %s', (name, message) => {
  expect(hosts.refusals[name]).toMatch(message);
});

it('names the line to write to an application with parsers before the guards', () => {
  expect(hosts.refusals.parsers).toContain('`keepBodyParsers(app)`');
});
