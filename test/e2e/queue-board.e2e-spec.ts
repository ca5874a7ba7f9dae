import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, queueNameOf } from '../support/reading/deliveries.js';

const ADMIN_TOKEN = 'operators-only-0123456789';
const BOARD = '/admin/queues';

let host: RunningHost;

beforeAll(async () => {
  // Without a worker, jobs stay visible.
  host = await startHost({ role: 'api', env: { ADMIN_TOKEN, QUEUE_SHARDS: '2' } });
});

const look = (path: string, method = 'GET') =>
  host.request<Record<string, unknown>>(method, `${BOARD}${path}`, {
    token: null,
    headers: { authorization: `Basic ${Buffer.from(`operator:${ADMIN_TOKEN}`).toString('base64')}` },
  });

describe('the queue board', () => {
  it('is not there unless ADMIN_TOKEN is set', async () => {
    const open = await startHost({ role: 'api' });
    for (const path of [BOARD, `${BOARD}/api/queues`]) {
      expect(await open.request('GET', path)).toMatchObject({ status: 404, body: { name: 'not_found' } });
    }
  });

  it.each(['', '/api/queues', '/static/js/main.js'])('%s is closed without the ADMIN_TOKEN', async (path) => {
    for (const token of [null, host.token]) {
      const answer = await host.request('GET', `${BOARD}${path}`, { token });
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Basic /) } });
    }
  });

  it('is a page that may load from this server alone', async () => {
    const { status, headers, text } = await look('/');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    const [, script] = /src="(static\/js\/main[^"]+)"/.exec(text) ?? [];
    expect((await look(`/${script}`)).status).toBe(200);
  });

  it('shows queues and their jobs, which contain only an id', async () => {
    const id = await post(host, 'canary@to.test');
    const first = await queueNameOf(host);
    await eventually(async () => {
      const { body } = await look(`/api/queues?activeQueue=${encodeURIComponent(first)}&status=waiting`);
      const queues = body.queues as { name: string; counts: Record<string, number>; jobs: { data: unknown }[] }[];
      const names = ['}', '-1}', '-bulk}', '-bulk-1}'].map((end) => first.replace('}', end));
      expect(queues.map(({ name }) => name)).toEqual(names);
      const [waiting] = queues.filter(({ counts }) => counts.waiting === 1);
      expect(waiting).toBeDefined();
      const { body: shown, text } = await look(
        `/api/queues?activeQueue=${encodeURIComponent(waiting?.name ?? '')}&status=waiting`,
      );
      const active = (shown.queues as typeof queues).find(({ name }) => name === waiting?.name);
      expect(active?.jobs.map(({ data }) => data)).toEqual([{ emailId: id }]);
      expect(text).not.toContain('canary');
    });
  });

  it('is read-only', async () => {
    for (const [method, path] of [
      ['PUT', '/api/queues/pause'],
      ['PUT', '/api/queues/%7Bemails%7D/empty'],
      ['POST', '/api/queues/%7Bemails%7D/add'],
      ['DELETE', '/api/queues/%7Bemails%7D/obliterate'],
    ] as const) {
      expect(await look(path, method)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    }
  });
});
