import { within } from '../support/basics/wait-for.js';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { GARBAGE } from '../support/hosts/watch/garbage.mjs';
import { sample } from '../support/jest/sample.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { exchange, RawConnection } from '../support/requests/raw-connection.js';

const CONNECTIONS = 300;
const MB = 1_000_000;

/** Flaws below the level of a request: heads, lengths, speed, number and size. */
describe('connections', () => {
  let api: ContractHost;
  let slowHeads: RawConnection[];
  let begun: number;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { LOG_LEVEL: 'error' } });
    // Opened first, checked last: the host waits up to 15 seconds, and checks every 30.
    begun = performance.now();
    slowHeads = await openMany('GET /emails HTTP/1.1\r\nHost: a.test\r\nX-Slow:', 3);
  });

  const head = (line: string, ...fields: string[]) =>
    [line, 'Host: a.test', 'Connection: close', `Authorization: Bearer ${api.host.token}`, ...fields, '', ''].join(
      '\r\n',
    );
  const json = ['Content-Type: application/json'];

  const openMany = (bytes: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => RawConnection.open(api.host.url, bytes)));

  async function expectService(): Promise<void> {
    const { status } = await api.host.request('POST', '/emails', { body: letter() });
    expect(status).toBe(200);
  }

  it.each<[string, () => string, number]>([
    ['10,000 header fields', () => head('GET /emails HTTP/1.1', ...numbered(10_000, (at) => `X-${at}: y`)), 431],
    ['20,000 octets in one field', () => head('GET /emails HTTP/1.1', `X-A: ${'y'.repeat(20_000)}`), 431],
    ['a URL of 20,000 octets', () => head(`GET /emails?${'a'.repeat(20_000)} HTTP/1.1`), 431],
    ['two lengths', () => `${head('POST /emails HTTP/1.1', ...json, 'Content-Length: 2', 'Content-Length: 3')}{}`, 400],
    [
      'a length and chunks',
      () => head('POST /emails HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['a negative length', () => head('POST /emails HTTP/1.1', ...json, 'Content-Length: -1'), 400],
    ['a length of 21 digits', () => head('POST /emails HTTP/1.1', ...json, `Content-Length: 1${'0'.repeat(20)}`), 400],
    ['a length that is not a number', () => head('POST /emails HTTP/1.1', ...json, 'Content-Length: 0x10'), 400],
    [
      'an unknown coding after chunks',
      () => head('POST /emails HTTP/1.1', ...json, 'Transfer-Encoding: chunked, x'),
      400,
    ],
    [
      'a chunk without a size',
      () => `${head('POST /emails HTTP/1.1', ...json, 'Transfer-Encoding: chunked')}zz\r\n`,
      400,
    ],
    [
      'a chunk with an extension of 20,000 octets',
      () => `${head('POST /emails HTTP/1.1', ...json, 'Transfer-Encoding: chunked')}2;${'a'.repeat(20_000)}\r\n{}`,
      400,
    ],
    ['lines that end with LF alone', () => head('GET /emails HTTP/1.1').replaceAll('\r\n', '\n'), 400],
    ['a folded header field', () => head('GET /emails HTTP/1.1', 'X-A: b\r\n c'), 400],
    ['NUL in a header value', () => head('GET /emails HTTP/1.1', 'X-A: b\0c'), 400],
    ['CR in a header value', () => head('GET /emails HTTP/1.1', 'X-A: b\rc'), 400],
    ['space before the colon', () => head('GET /emails HTTP/1.1', 'X-A : b'), 400],
    ['NUL in the path', () => head('GET /emails\0 HTTP/1.1'), 400],
    ['letters outside ASCII in the path', () => head('GET /topics/\xc3\xbc HTTP/1.1'), 400],
    ['an unknown method', () => head('BREW /emails HTTP/1.1'), 400],
    ['an unknown version', () => head('GET /emails HTTP/9.9'), 400],
    ['a greeting of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an unknown expectation', () => head('POST /emails HTTP/1.1', 'Expect: miracles'), 417],
  ])('with %s are refused in the shape of the contract', async (_, bytes, status) => {
    const received = await exchange(api.host.url, bytes());
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [, body = ''] = received.split('\r\n\r\n', 2);
    expect(JSON.parse(body)).toEqual({ statusCode: status, name: 'validation_error', message: expect.any(String) });
    expect(received).not.toContain(api.host.token);
    await expectService();
  });

  it.each<[string, () => string]>([
    ['a tunnel', () => head('CONNECT a.test:25 HTTP/1.1')],
    ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['nothing', () => '\r\n'.repeat(10_000)],
    ['3,000 short header fields', () => head('GET /emails HTTP/1.1', ...numbered(3_000, () => 'a:'))],
    ['an absolute URL', () => head('GET http://evil.test/emails HTTP/1.1')],
    ['a path of nothing but *', () => head('OPTIONS * HTTP/1.1')],
    ['another protocol to change to', () => head('GET /emails HTTP/1.1', 'Upgrade: websocket')],
    ['a doubled slash before a host', () => head('GET //evil.test/%2e%2e HTTP/1.1')],
    ['HEAD', () => head('HEAD /emails HTTP/1.1')],
    [
      'a coding besides chunks',
      () => `${head('POST /emails HTTP/1.1', ...json, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    ],
  ])('that request %s do no harm', async (_, bytes) => {
    const socket = exchange(api.host.url, bytes(), api.host.seconds(3)).catch(() => '');
    expect(await socket).not.toMatch(/^HTTP\/1\.1 5/);
    await expectService();
  });

  it('may be many, silent, and halfway through a body, while others are served', async () => {
    const { token } = await api.host.account('other');
    const before = megabytesOf(api.host.pid);
    const silent = await openMany('', CONNECTIONS);
    const half: RawConnection[] = [];
    // Not all at once: a queue of new connections is longer than the system keeps.
    while (half.length < 2 * CONNECTIONS) {
      half.push(
        ...(await openMany(
          head('POST /emails HTTP/1.1', ...json, 'Content-Length: 999999') + ' '.repeat(0.9 * MB),
          50,
        )),
      );
    }
    for (let count = 0; count < 5; count += 1) await expectService();
    await api.accept({ text: 'x'.repeat(0.9 * MB) }, { token });
    expect(megabytesOf(api.host.pid) - before).toBeLessThan(250 * GARBAGE);
    // A slow machine takes longer for all this than a request has to arrive.
    const answers = [...silent, ...half].map(({ received }) => received.split('\r\n', 1)[0]);
    const expected = ['', 'HTTP/1.1 503 Service Unavailable', 'HTTP/1.1 408 Request Timeout'];
    expect(answers.filter((answer) => !expected.includes(answer ?? ''))).toEqual([]);
    await Promise.all([...silent, ...half].map((connection) => connection.end()));
    await expectService();
  });

  const bodies: readonly [string, () => string | Buffer, number][] = [
    ['arrays in arrays', () => '['.repeat(20 * MB), 400],
    ['objects in objects', () => '{"a":'.repeat(4 * MB), 400],
    ['empty objects', () => body('zz', `[${'{},'.repeat(5 * MB)}{}]`), 400],
    ['fields of an object', () => body('headers', `{${numbered(MB, (at) => `"x${at}":"1"`).join(',')}}`), 400],
    ['attachments', () => body('attachments', `[${'{},'.repeat(5_000)}{}]`), 422],
    ['tags', () => body('tags', `[${'{},'.repeat(5_000)}{}]`), 422],
    ['recipients', () => body('to', `[${'"a@b.co",'.repeat(MB)}"a@b.co"]`), 400],
    ['the beginnings of encoded words', () => body('subject', `"${'=?'.repeat(20 * MB)}"`), 422],
    ['escaped quotes in an address', () => body('to', `"${'\\"'.repeat(20 * MB)}"`), 422],
    ['one variable', () => body('template', `{"id":"x","variables":{"A":"${'x'.repeat(40 * MB)}"}}`), 422],
    ['zeros behind gzip', () => Buffer.alloc(10 * MB), 415],
  ];

  it.each(sample(4, bodies))('with megabytes of %s are answered in a moment', async (name, make, status) => {
    const headers = name.includes('gzip') ? { 'content-encoding': 'gzip' } : {};
    // Work that grows faster than linearly would not end within hours.
    const answer = await api.host.request('POST', '/emails', { body: make(), headers });
    expect([answer.status, answer.body.name]).toEqual([status, 'validation_error']);
  });

  it('that do not finish their heads are closed within 50 seconds', async () => {
    await within(
      Promise.all(slowHeads.map(({ closed }) => closed)),
      45_000 + api.host.seconds(5),
      'The end of slow heads',
    );
    expect(performance.now() - begun).toBeGreaterThan(10_000);
    for (const { received } of slowHeads) expect(received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('leave the host working, and in bounded memory', async () => {
    await api.deliver();
    expect(megabytesOf(api.host.pid)).toBeLessThan(1_200);
    // A body that came too slowly may have been answered 503, as above.
    const errors = api.host.output.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(errors.filter((line) => !line.includes('"status":503'))).toEqual([]);
  });
});

function numbered(count: number, text: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => text(at));
}

/** A letter with this field, given as JSON. */
function body(field: string, value: string): string {
  return `${JSON.stringify(letter({ [field]: undefined })).slice(0, -1)},"${field}":${value}}`;
}
