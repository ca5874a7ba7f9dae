import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/basics/wait-for.js';
import { ContractHost, invalid, letter, missing, type Refusal } from '../support/hosts/contract-host.js';
import type { RequestOptions } from '../support/requests/http-request.js';
import { exchange } from '../support/requests/raw-connection.js';
import { RawRequest } from '../support/requests/raw-request.js';
import { startPostgresProxy } from '../support/servers/postgres.js';

const malformed = (message: RegExp): Refusal => ({ status: 400, name: 'validation_error', message });
const NOT_JSON = malformed(/JSON/);
const NO_OBJECT = malformed(/must be a JSON object/);
const NOT_UTF8 = malformed(/UTF-8/);
const TOO_DEEP = malformed(/32 levels/);
const MEDIA_TYPE: Refusal = { status: 415, name: 'validation_error', message: /application\/json/ };
const TOO_LARGE: Refusal = { status: 413, name: 'validation_error', message: /larger than 126000000 bytes/ };
const UNAVAILABLE: Refusal = { status: 503, name: 'application_error', message: /Nothing was accepted/ };
const MISSING_KEY: Refusal = { status: 401, name: 'missing_api_key', message: /./ };
const NOT_FOUND: Refusal = { status: 404, name: 'not_found', message: /./ };
const NO_ID: Refusal = { status: 422, name: 'invalid_parameter', message: /^The `id` must be a valid UUID\.$/ };

let api: ContractHost;

beforeAll(async () => {
  api = await ContractHost.share();
});

/** `{"a":{"a":…1…}}` with this many levels. */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const withField = (name: string, json: string) => `${JSON.stringify(letter()).slice(0, -1)},"${name}":${json}}`;

/** Contract 1: rules for every request, and each line of its table of errors. */
describe('a request', () => {
  const asked = async (version: string, ...fields: string[]) => {
    const head = [`GET /health/live HTTP/${version}`, ...fields, 'Connection: close', '', ''].join('\r\n');
    const [status = '', body = ''] = (await exchange(api.host.url, head)).split('\r\n\r\n');
    return { status: Number(status.split(' ')[1]), head: status.toLowerCase(), body };
  };

  it.each([
    ['no `Host`', []],
    ['two of them', ['Host: a.test', 'Host: a.test']],
  ])('of HTTP/1.1 with %s is refused in the shape of all errors', async (_, fields) => {
    const { status, head, body } = await asked('1.1', ...fields);
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 400,
      body: { statusCode: 400, name: 'validation_error', message: 'A request needs exactly one `Host` header.' },
    });
    expect(head).toContain('content-type: application/json; charset=utf-8');
    expect(head).toContain('connection: close');
    expect(head).toMatch(/x-request-id: \S/);
  });

  it('of HTTP/1.0 needs no `Host`', async () => {
    expect(await asked('1.0')).toMatchObject({ status: 200 });
    expect(await asked('1.1', 'Host: a.test')).toMatchObject({ status: 200 });
  });
});

describe('a body', () => {
  it.each<[string, string | Buffer, Refusal]>([
    ['text', 'hello', NOT_JSON],
    ['a JSON text that ends early', '{"to": "a@b.test"', NOT_JSON],
    ['two JSON texts', '{}{}', NOT_JSON],
    ['single quotes', "{'to': 'a'}", NOT_JSON],
    ['a trailing comma', '{"to": "a@b.test",}', NOT_JSON],
    ['a comment', '{} // comment', NOT_JSON],
    ['NaN', '{"to": NaN}', NOT_JSON],
    ['a raw control character', '{"subject": "a\nb"}', NOT_JSON],
    ['white space alone', ' \n', NOT_JSON],
    ['NUL', '\0', NOT_JSON],
    ['an array', '[]', NO_OBJECT],
    ['an array of emails', `[${JSON.stringify(letter())}]`, NO_OBJECT],
    ['a string', '"hello"', NO_OBJECT],
    ['a number', '5', NO_OBJECT],
    ['null', 'null', NO_OBJECT],
    ['true', 'true', NO_OBJECT],
    ['latin1', Buffer.from(JSON.stringify(letter({ subject: 'Grüße' })), 'latin1'), NOT_UTF8],
    ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(letter())}`, 'utf16le'), NOT_UTF8],
    ['an overlong encoding', Buffer.from('7b2261223a22c0af227d', 'hex'), NOT_UTF8],
    ['a surrogate in UTF-8', Buffer.from('7b2261223a22eda080227d', 'hex'), NOT_UTF8],
    ['UTF-8 that ends in the middle', Buffer.from('7b2261223a22e282227d', 'hex'), NOT_UTF8],
    ['33 levels', nested(33), TOO_DEEP],
    ['33 levels of arrays in a field', withField('tags', `${'['.repeat(32)}${']'.repeat(32)}`), TOO_DEEP],
    ['33 levels in an unknown field', withField('surplus', nested(32)), TOO_DEEP],
    ['100,000 levels', nested(100_000), TOO_DEEP],
    ['100,000 levels of arrays', withField('to', `${'['.repeat(99_999)}${']'.repeat(99_999)}`), TOO_DEEP],
    ['32 levels, but of an unknown field', nested(32), invalid(/^`a` is not a field/)],
    ['NUL in a text', JSON.stringify(letter({ html: 'a\0' })), invalid(/^`html` contains NUL/)],
    ['NUL in a list', JSON.stringify(letter({ cc: ['a', 'a\0'] })), invalid(/^`cc\[1\]` contains NUL/)],
    ['NUL in a key', withField('headers', '{"a\\u0000": "b"}'), invalid(/^`headers` contains NUL/)],
    ['half of a surrogate pair', withField('html', '"\\ud83d"'), invalid(/^`html` .*surrogate/)],
    ['the other half', withField('html', '"a\\udd8a"'), invalid(/^`html` .*surrogate/)],
    ['both halves in the wrong order', withField('html', '"\\udd8a\\ud83d"'), invalid(/^`html` .*surrogate/)],
    ['half of a surrogate pair in a key', withField('\\ud83d', '1'), invalid(/surrogate/)],
    [
      'NUL below a key of 100,000 characters',
      withField('x'.repeat(100_000), '"\\u0000"'),
      invalid(/^`x{1,100}` .*NUL/),
    ],
    ['nothing', '', missing('to')],
    ['an empty object', '{}', missing('to')],
  ])('of %s is refused', async (_, body, refusal) => {
    await api.refuseRequest('POST', '/emails', { body }, refusal);
  });

  it('that is absent is reported as a missing field', async () => {
    const headers = { 'content-type': 'application/json' };
    await api.refuseRequest('POST', '/emails', { headers }, missing('to'));
    await api.refuseRequest('POST', '/emails', { headers: { ...headers, 'content-length': 0 } }, missing('to'));
  });

  it.each([
    ['a byte order mark', `\ufeff${JSON.stringify(letter())}`],
    ['white space around it', ` \r\n\t${JSON.stringify(letter(), null, 2)}\n`],
    ['a whole surrogate pair in escapes', withField('html', '"\\ud83e\\udd8a"')],
    ['a key given twice: the last one counts', `{"to": 5, ${JSON.stringify(letter()).slice(1)}`],
  ])('with %s is accepted', async (_, body) => {
    await api.accept({}, { body });
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/vnd.api+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ])('of the type %j is refused', async (type) => {
    await api.refuseRequest('POST', '/emails', { body: letter(), headers: { 'content-type': type } }, MEDIA_TYPE);
  });

  it('that is compressed is refused', async () => {
    const headers = { 'content-encoding': 'gzip' };
    await api.refuseRequest('POST', '/emails', { body: letter(), headers }, MEDIA_TYPE);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
  ])('of the type `%s` is accepted', async (type) => {
    await api.accept({}, { headers: { 'content-type': type } });
  });

  it('over the limit is refused by its announced length, unread', async () => {
    const request = await RawRequest.open(
      api.host.url,
      'POST /emails HTTP/1.1',
      `Authorization: Bearer ${api.host.token}`,
      'Content-Type: application/json',
      'Content-Length: 126000001',
    );
    const { status, body } = await request.answer();
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 413,
      body: { statusCode: 413, name: 'validation_error', message: expect.stringMatching(TOO_LARGE.message) },
    });
    await request.closed;
  });

  it('over the limit is refused without an announced length', async () => {
    const request = await RawRequest.open(
      api.host.url,
      'POST /emails HTTP/1.1',
      `Authorization: Bearer ${api.host.token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    const chunk = Buffer.concat([Buffer.from('F4240\r\n'), Buffer.alloc(1_000_000, 0x20), Buffer.from('\r\n')]);
    while (request.pushed < 100_000_000 && request.received === '' && (await request.push(chunk)));
    expect((await request.answer()).status).toBe(413);
    expect(request.pushed).toBeLessThan(100_000_000);
    await request.closed;
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/email'],
    ['GET', '/emails/'.concat('0198f0c1-0000-7000-8000-000000000000')],
    ['POST', '/v1/emails'],
    ['DELETE', '/nothing/here'],
    ['GET', '/emails%2f'],
    ['GET', '/%'],
    ['GET', '/../emails/..'],
  ])('%s %s is unknown', async (method, path) => {
    await api.refuseRequest(method, path, method === 'POST' ? { body: letter() } : {}, NOT_FOUND);
  });

  it.each([
    ['GET', '/broadcasts?limit=5', 'broadcasts'],
    ['POST', '/audiences/0198f0c1-0000-7000-8000-000000000000/contacts', 'audiences'],
    ['DELETE', '/contacts/a@b.test/segments/0198f0c1-0000-7000-8000-000000000000', 'segments'],
    ['GET', '/contacts/imports', 'contact imports'],
    ['POST', '/contacts/imports', 'contact imports'],
    ['GET', '/emails/receiving', 'received emails'],
    ['DELETE', '/emails/receiving', 'received emails'],
    ['GET', '//logs//', 'logs of requests'],
    ['POST', '/domains/claim/0198f0c1-0000-7000-8000-000000000000/verify', 'claims of domains'],
  ])('%s %s exists in the API of Resend, and the error says so', async (method, path, what) => {
    const message = new RegExp(`^This server has no ${what}\\.$`);
    const options = method === 'POST' ? { body: [letter()] } : {};
    await api.refuseRequest(method, path, options, { ...NOT_FOUND, message });
  });

  it('/domains is an empty list, paged as others are', async () => {
    for (const query of ['', '?limit=5']) {
      const { status, body } = await api.host.request('GET', `/domains${query}`);
      expect([status, body]).toEqual([200, { object: 'list', has_more: false, data: [] }]);
    }
    for (const wrong of ['limit=0', 'after=0198f0c1-0000-7000-8000-000000000000', 'before=x']) {
      await api.refuseRequest('GET', `/domains?${wrong}`, {}, invalid(/^`(limit|after|before)` /));
    }
    await api.refuseRequest('GET', '/domains', { token: null }, MISSING_KEY);
  });

  it.each(['/api-keys', '/topics', '/contacts', '/templates', '/webhooks', '/emails'])(
    '%s/ID is unknown without such an object, and invalid for a malformed id',
    async (path) => {
      const method = path === '/api-keys' ? 'DELETE' : 'GET';
      const malformed = ['/api-keys', '/topics', '/webhooks', '/emails'].includes(path) ? NO_ID : NOT_FOUND;
      await api.refuseRequest(method, `${path}/0198f0c1-0000-7000-8000-000000000000`, {}, NOT_FOUND);
      for (const id of ['nobody', '%00', "'%20OR%201=1--"]) {
        await api.refuseRequest(method, `${path}/${id}`, {}, malformed);
        await api.refuseRequest(method, `${path}/${id}`, { token: null }, MISSING_KEY);
      }
    },
  );

  it.each(['/api-keys', '/topics', '/webhooks', '/emails', '/contacts', '/templates'])(
    '%s/ID is a UUID of no version, and unknown',
    async (path) => {
      const method = path === '/api-keys' ? 'DELETE' : 'GET';
      await api.refuseRequest(method, `${path}/01234567-89ab-cdef-0123-456789abcdef`, {}, NOT_FOUND);
    },
  );

  it.each(['segment_id=x', 'segment_id[]=x', 'audience_id=x'])(
    '/contacts?%s requests a missing feature',
    async (query) => {
      await api.refuseRequest('GET', `/contacts?${query}`, {}, invalid(/^`(segment|audience)_id` must be/));
      expect((await api.host.request('GET', '/contacts?segment_id=&colour=red')).status).toBe(200);
    },
  );

  it.each([
    ['/emails', 'GET, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/api-keys', 'GET, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/topics', 'GET, POST', ['PUT', 'DELETE']],
    ['/contacts', 'GET, POST', ['PUT', 'DELETE']],
    ['/templates', 'GET, POST', ['PUT', 'DELETE']],
    ['/webhooks', 'GET, POST', ['PUT', 'DELETE']],
  ])('%s answers other methods than %s with 405 and `Allow`', async (path, allow, methods) => {
    for (const method of methods) {
      const options: RequestOptions = method === 'PUT' ? { body: letter() } : {};
      const answer = await api.refuseRequest(method, path, options, {
        status: 405,
        name: 'method_not_allowed',
        message: /GET, POST/,
      });
      expect(answer.headers.allow?.split(', ').sort()).toEqual(allow.split(', '));
    }
  });

  it('that is not percent-encoded UTF-8 is malformed', async () => {
    await api.refuseRequest('GET', '/emails/%ff', {}, { status: 400, name: 'validation_error', message: /malformed/ });
  });

  it('of one email answers to its own methods, also with doubled slashes', async () => {
    const id = '0198f0c1-0000-7000-8000-000000000000';
    for (const [path, allow] of [
      [`/emails/${id}`, 'GET, PATCH'],
      [`//emails//${id}//cancel`, 'POST'],
      [`/emails/${id}/retry`, 'POST'],
    ] as const) {
      const refusal = { status: 405, name: 'method_not_allowed', message: new RegExp(allow) };
      const answer = await api.refuseRequest('DELETE', path, {}, refusal);
      expect(answer.headers.allow).toBe(allow);
    }
  });

  it.each(['//emails', '///emails', '//emails//'])('%s works as /emails', async (path) => {
    expect((await api.host.request('GET', `${path}?limit=1`)).status).toBe(200);
    expect((await api.host.request('POST', path, { body: letter() })).status).toBe(200);
    await api.refuseRequest('GET', path, { token: null }, MISSING_KEY);
  });
});

describe('a GET', () => {
  it.each<[string, RequestOptions]>([
    ['a content type alone', { headers: { 'content-type': 'application/json' } }],
    ['another content type', { headers: { 'content-type': 'text/plain' } }],
    ['a JSON body', { body: { limit: 'x' } }],
    ['a body that is not JSON', { body: '{"a' }],
    ['a body that is not UTF-8', { body: Buffer.from([0xff]), headers: { 'content-type': 'image/png' } }],
    ['a body of 200,000 bytes', { body: Buffer.alloc(200_000, 0x20) }],
  ])('with %s is answered like without', async (_, options) => {
    const { status, body, headers } = await api.host.request('GET', '/emails?limit=1', options);
    expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ object: 'list' }) });
    expect(body).not.toHaveProperty('statusCode');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('with a body keeps the connection usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: unknown[] = [];
    for (const body of ['{"a":1}', undefined, 'x'.repeat(100_000), undefined]) {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${api.host.token}`,
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        };
        const outgoing = request(`${api.host.url}/emails?limit=1`, { agent, headers }, resolve);
        outgoing.once('error', reject).end(body);
      });
      ports.push(incoming.socket.localPort);
      expect({ status: incoming.statusCode, list: (await text(incoming)).slice(0, 16) }).toEqual({
        status: 200,
        list: '{"object":"list"',
      });
    }
    agent.destroy();
    expect(new Set(ports).size).toBe(1);
  });
});

it('sent no refused email', async () => {
  await api.deliver();
  const known = (await api.host.query('SELECT id FROM nestjs_emails.emails')).map(({ id }) => id);
  for (const { raw } of api.sink.offered) {
    expect(known).toContain(/^Message-ID:\s+<([^@]+)@/m.exec(raw.toString('latin1'))?.[1]);
  }
});

describe('without a database', () => {
  it('requests are answered 503 with `retry-after`, and nothing was accepted', async () => {
    const proxy = await startPostgresProxy();
    const away = await ContractHost.start({ postgresProxy: proxy });
    await away.accept();
    await proxy.refuse();
    for (const [method, body] of [
      ['POST', letter()],
      ['GET', undefined],
    ] as const) {
      const answer = await away.refuseRequest(method, '/emails', { body }, UNAVAILABLE);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      await away.refuseRequest(method, '/emails', { body, token: null }, MISSING_KEY);
    }
    await proxy.restore();
    await eventually(() => away.accept());
    await away.expectNothingElseSent();
  });
});
