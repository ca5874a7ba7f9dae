import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Resend } from 'resend';
import { AlarmWebhook } from './alarm-webhook.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ALARM = { code: 'quota', subject: 'day', text: 'Full.', since: new Date('2026-11-26T10:00:00Z') };
const ID = 'f'.repeat(64);

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

interface Request {
  headers: IncomingMessage['headers'];
  body: string;
}

/** An endpoint, and the requests that it got. */
async function endpointThat(answer: (response: ServerResponse) => void) {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms?token=x` };
}

const verify = ({ headers, body }: Request) =>
  new Resend('re_test').webhooks.verify({
    payload: body,
    headers: {
      id: String(headers['webhook-id']),
      timestamp: String(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
    },
    webhookSecret: SECRET,
  }) as unknown;

describe('AlarmWebhook', () => {
  it('sends begins and ends, signed as webhooks are', async () => {
    const { requests, url } = await endpointThat((response) => response.writeHead(204).end());
    const webhook = new AlarmWebhook(url, SECRET);
    await webhook.send(ALARM, ID);
    await webhook.send({ ...ALARM, account: 'acme', until: new Date('2026-11-26T11:00:00Z') }, ID);
    const data = { code: 'quota', account_id: null, subject: 'day', text: 'Full.', since: '2026-11-26T10:00:00.000Z' };
    expect(requests.map(verify)).toEqual([
      { type: 'alarm.began', created_at: data.since, data: { ...data, until: null } },
      {
        type: 'alarm.ended',
        created_at: '2026-11-26T11:00:00.000Z',
        data: { ...data, account_id: 'acme', until: '2026-11-26T11:00:00.000Z' },
      },
    ]);
    expect(requests[0]?.headers['svix-id']).toBe(`msg_${'f'.repeat(27)}`);
    expect(requests[0]?.headers['content-type']).toBe('application/json');
  });

  it.each([
    ['an error', 500],
    ['a redirect, which is not followed', 307],
  ])('takes %s as a failure', async (_, status) => {
    const { requests, url } = await endpointThat((response) =>
      response.writeHead(status, { location: '/elsewhere' }).end('no'),
    );
    await expect(new AlarmWebhook(url, SECRET).send(ALARM, ID)).rejects.toThrow(`it answered ${status}`);
    expect(requests).toHaveLength(1);
  });

  it('gives up on an endpoint that hangs', async () => {
    const { url } = await endpointThat(() => {});
    await expect(new AlarmWebhook(url, SECRET, 50).send(ALARM, ID)).rejects.toThrow('it did not answer in time');
  });

  it('ignores a body without an end', async () => {
    const { url } = await endpointThat((response) => response.writeHead(200).write('x'));
    await new AlarmWebhook(url, SECRET, 5_000).send(ALARM, ID);
  });

  it('does not show the URL when nobody is there', async () => {
    const { url } = await endpointThat(() => {});
    for (const close of opened.splice(0)) close();
    await expect(new AlarmWebhook(url, SECRET).send(ALARM, ID)).rejects.toThrow(/^it could not be reached$/);
  });
});
