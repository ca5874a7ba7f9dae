import { readFileSync } from 'node:fs';
import { eventually } from '../support/basics/wait-for.js';
import { ContractHost, letter, type Refusal } from '../support/hosts/contract-host.js';
import type { RequestOptions } from '../support/requests/http-request.js';
import { RawRequest } from '../support/requests/raw-request.js';

const MISSING: Refusal = { status: 401, name: 'missing_api_key', message: /Authorization: Bearer/ };
const INVALID: Refusal = {
  status: 401,
  name: 'invalid_api_key',
  message: /API key is invalid: it is unknown, malformed or revoked/,
};
const LIMITED: Refusal = { status: 429, name: 'rate_limit_exceeded', message: /retry-after/ };
const RESTRICTED: Refusal = { status: 401, name: 'restricted_api_key', message: /only send/ };

/** Contract 1: authentication comes first, and a token gives access to one account only. */
describe('authentication', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start();
  });

  const bearer = (authorization: string | string[] | undefined): RequestOptions => ({
    token: null,
    // Node sends a list as several headers; its types allow this for some names only.
    headers: { authorization: authorization as string | undefined },
  });

  async function key(permission: string): Promise<{ id: string; token: string }> {
    const { status, body } = await api.host.request('POST', '/api-keys', { body: { name: 'key', permission } });
    expect(status).toBe(201);
    return body as { id: string; token: string };
  }

  const unknown = `re_${'x'.repeat(43)}`;

  it.each<[string, string | string[] | undefined, Refusal]>([
    ['no header', undefined, MISSING],
    ['an empty header', '', MISSING],
    ['another scheme', 'Basic dXNlcjpwYXNz', MISSING],
    ['a scheme with only this prefix', `Bearers ${unknown}`, MISSING],
    ['the token alone', unknown, MISSING],
    ['the scheme alone', 'Bearer', MISSING],
    ['the scheme and a space', 'Bearer ', MISSING],
    ['an unknown token', `Bearer ${unknown}`, INVALID],
    ['two tokens', `Bearer ${unknown} ${unknown}`, INVALID],
    ['a token with a comma', `Bearer ${unknown},x`, INVALID],
    ['a token in quotes', `Bearer "${unknown}"`, INVALID],
    ['a token that is too short', 'Bearer re_', INVALID],
    ['a token of 8 kB', `Bearer ${'x'.repeat(8_192)}`, INVALID],
    ['letters outside ASCII', 'Bearer \xe4\xf6\xfc\xe4\xf6\xfc\xe4\xf6', INVALID],
    ['two headers', [`Bearer ${unknown}`, `Bearer ${unknown}`], INVALID],
  ])('is refused with %s, with `WWW-Authenticate: Bearer`', async (_, authorization, refusal) => {
    for (const [method, body] of [
      ['POST', letter()],
      ['GET', undefined],
    ] as const) {
      const answer = await api.refuseRequest(method, '/emails', { body, ...bearer(authorization) }, refusal);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('is refused with the right token in a second header, or changed in case', async () => {
    const { token } = api.host;
    await api.refuseRequest('GET', '/emails', bearer([`Bearer ${token}`, `Bearer ${unknown}`]), INVALID);
    await api.refuseRequest('GET', '/emails', bearer([`Bearer ${unknown}`, `Bearer ${token}`]), INVALID);
    await api.refuseRequest('GET', '/emails', bearer(`Bearer ${token.toUpperCase()}`), INVALID);
    await api.refuseRequest('GET', '/emails', bearer(`Bearer ${token.slice(0, -1)}`), INVALID);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme as `%s`', async (scheme) => {
    await api.accept({}, bearer(`${scheme} ${api.host.token}`));
    const { status } = await api.host.request('GET', '/emails', bearer(`${scheme} ${api.host.token}`));
    expect(status).toBe(200);
  });

  it.each(['/emails', '/api-keys', '/topics', '/contacts', '/templates'])('comes first at %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      await api.refuseRequest(method, path, { token: null }, MISSING);
    }
  });

  it.each<[string, RequestOptions]>([
    ['not JSON', { body: '{"to":' }],
    ['of another type', { body: 'a=b', headers: { 'content-type': 'text/plain' } }],
    ['compressed', { body: Buffer.alloc(9), headers: { 'content-encoding': 'gzip' } }],
    ['announced as too large', { body: '{}', headers: { 'content-length': 99_000_000, connection: 'close' } }],
  ])('comes before a body that is %s', async (_, options) => {
    await api.refuseRequest('POST', '/emails', { token: null, ...options }, MISSING);
  });

  it('comes before an idempotency key that is too long', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(257) };
    await api.refuseRequest('POST', '/emails', { token: null, body: letter(), headers }, MISSING);
  });

  it('with a `sending_access` key opens sending, and nothing else', async () => {
    const { token } = await key('sending_access');
    await api.accept({}, { token });
    for (const [method, path] of [
      ['GET', '/emails'],
      ['PUT', '/emails'],
      ['GET', '/api-keys'],
      ['POST', '/api-keys'],
      ['GET', '/topics'],
      ['GET', '/contacts'],
      ['GET', '/templates'],
      ['POST', '/templates'],
    ] as const) {
      const body = method === 'GET' ? undefined : { name: 'x' };
      const answer = await api.refuseRequest(method, path, { token, body }, RESTRICTED);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('ends within a second of a revocation', async () => {
    const { id, token } = await key('full_access');
    await api.accept({}, { token });
    expect((await api.host.request('DELETE', `/api-keys/${id}`)).status).toBe(200);
    await eventually(() => api.refuseRequest('POST', '/emails', { token, body: letter() }, INVALID), {
      timeout: api.host.seconds(1),
    });
  });

  it('does not read a large body of an unknown caller: the answer comes after the head', async () => {
    for (const length of ['Content-Length: 40000000', 'Transfer-Encoding: chunked']) {
      const request = await RawRequest.open(
        api.host.url,
        'POST /emails HTTP/1.1',
        'Content-Type: application/json',
        length,
      );
      const { status, head, body } = await request.answer();
      expect({ status, body: JSON.parse(body) }).toMatchObject({ status: 401, body: { name: 'missing_api_key' } });
      expect(head).toMatch(/^connection: close$/im);
      await request.closed;
    }
  });

  it('answers a client that asks before it sends its body', async () => {
    const request = await RawRequest.open(
      api.host.url,
      'POST /emails HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 40000000',
      'Expect: 100-continue',
      `Authorization: Bearer ${unknown}`,
    );
    expect((await request.answer()).status).toBe(401);
    await request.closed;
  });

  it('reads less than 1 MB of the 40 MB that an unknown caller keeps sending', async () => {
    const before = bytesRead(api.host.pid);
    const request = await RawRequest.open(
      api.host.url,
      'POST /emails HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 40000000',
    );
    await request.pushAll(40_000_000);
    await request.closed;
    expect((await request.answer()).status).toBe(401);
    // Sent bytes are mostly in the buffers of two sockets, whose size the system chooses.
    expect(request.pushed).toBeLessThan(20_000_000);
    expect(bytesRead(api.host.pid) - before).toBeLessThan(1_000_000);
  });

  it('by guessing is limited: 100 unknown keys a minute per address, without effect on valid ones', async () => {
    const statuses: number[] = [];
    while (statuses.length <= 100 && statuses.at(-1) !== 429) {
      const { status } = await api.host.request('GET', '/emails', bearer(`Bearer ${unknown}${statuses.length}`));
      statuses.push(status);
    }
    expect(statuses.at(-1)).toBe(429);
    const answer = await api.refuseRequest(
      'POST',
      '/emails',
      { body: letter(), ...bearer(`Bearer ${unknown}`) },
      LIMITED,
    );
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    // A caller cannot choose its address by a header.
    const elsewhere = {
      authorization: `Bearer ${unknown}`,
      'x-forwarded-for': '198.51.100.7',
      forwarded: 'for=198.51.100.7',
    };
    await api.refuseRequest('GET', '/emails', { token: null, headers: elsewhere }, LIMITED);
    await api.refuseRequest('GET', '/emails', { token: null }, MISSING);
    await api.accept();
  });

  it('sent no refused email', () => api.expectNothingElseSent());
});

/** Bytes that a process has read by any system call. Linux counts them; other systems use the other measure. */
function bytesRead(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}
