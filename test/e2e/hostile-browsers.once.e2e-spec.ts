import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import type { RequestOptions } from '../support/requests/http-request.js';
import { exchange } from '../support/requests/raw-connection.js';

const EVIL = 'https://evil.test';
const SCRIPT = '<script>fetch("https://evil.test")</script><img src=x onerror="alert(1)">';

interface InboxBody {
  data: { id: string }[];
}

/** A browser that a hostile page or email sends to the host. */
describe('a browser', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
  });

  it.each<[string, number, string, RequestOptions?]>([
    ['GET', 200, '/emails'],
    ['GET', 200, '/inbox', { token: null }],
    ['GET', 200, '/health/live', { token: null }],
    ['GET', 401, '/emails', { token: null }],
    ['GET', 404, '/<script>alert(1)</script>'],
    ['GET', 422, '/emails?limit=<script>'],
    ['POST', 422, '/emails', { body: { to: SCRIPT } }],
    ['POST', 415, '/emails', { body: 'to=a', headers: { 'content-type': 'text/plain' } }],
    ['OPTIONS', 401, '/emails', { token: null, headers: { 'access-control-request-method': 'POST' } }],
  ])('may run nothing and share nothing: %s, %d, %s', async (method, status, path, options = {}) => {
    const answer = await host.request(method, path, { ...options, headers: { origin: EVIL, ...options.headers } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const names = Object.keys(answer.headers);
    expect(names.filter((name) => /^(access-control-.*|x-powered-by|server|etag|set-cookie)$/.test(name))).toEqual([]);
    expect(answer.text).not.toContain('<script>');
  });

  it('learns no more from requests that reach no route', async () => {
    const received = await exchange(host.url, `GET / HTTP/1.1\r\nHost: a.test\r\nOrigin: ${EVIL}\r\nX : y\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(received).not.toMatch(/^(access-control-|x-powered-by|server:)/im);
  });

  it('gets an email from the inbox as a file, and does not render it', async () => {
    const body = { from: 'a@from.test', to: 'b@to.test', subject: SCRIPT, html: SCRIPT };
    expect((await host.request('POST', '/emails', { body })).status).toBe(200);
    const list = await until(async () => {
      const answer = await host.request<InboxBody>('GET', '/inbox', { token: null });
      return answer.body.data.length > 0 && answer;
    });
    expect(list.headers['content-type']).toBe('application/json; charset=utf-8');
    const id = list.body.data[0]?.id;
    const raw = await host.request('GET', `/inbox/${id}/raw`, { token: null });
    expect(raw.headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${id}.eml"`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    expect(raw.text).toContain('onerror');
  });

  it.each([
    { host: 'evil.test' },
    { host: 'localhost.evil.test' },
    { 'x-forwarded-for': '198.51.100.7' },
    { forwarded: 'for=198.51.100.7' },
  ])('finds no inbox when it calls with %j', async (headers) => {
    const { status, body } = await host.request('GET', '/inbox', { token: null, headers });
    expect({ status, body }).toMatchObject({ status: 404, body: { name: 'not_found' } });
  });
});
