import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';
import { listed, post, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { nobodyLeftIn, processesOf } from '../support/reading/processes.js';
import { httpRequest } from '../support/requests/http-request.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface InboxEntry {
  id: string;
  from: string;
  to: string[];
  subject: string;
  received_at: string;
}

const inboxOf = async ({ url }: RunningHost) =>
  (await httpRequest<{ object: string; has_more: boolean; data: InboxEntry[] }>(url, 'GET', '/inbox')).body;

async function rawMessage({ url }: RunningHost, id: string): Promise<Buffer> {
  const answer = await fetch(`${url}/inbox/${id}/raw`);
  if (answer.status !== 200) throw new Error(`The inbox answers ${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

describe('a host without configuration', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ services: 'none' });
  });

  it('delivers within two seconds into an inbox for all users of this machine', async () => {
    const id = await post(host, 'Ann <ann@to.test>', {
      subject: 'Grüße',
      html: '<p>Hello <b>Ann</b></p>',
      text: undefined,
    });
    const { message_id } = await untilShown(host, id, 'delivered', { timeout: host.seconds(2) });

    const { object, has_more, data } = await inboxOf(host);
    expect({ object, has_more }).toEqual({ object: 'list', has_more: false });
    expect(data).toEqual([
      {
        id: expect.any(String),
        attachments: 0,
        signed: true,
        dkim: expect.any(Object),
        from: 'sender@from.test',
        to: ['ann@to.test'],
        subject: 'Grüße',
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        size: expect.any(Number),
      },
    ]);
    const mail = await parseMime(await rawMessage(host, data[0]!.id));
    expect(mail).toMatchObject({
      messageId: message_id,
      subject: 'Grüße',
      from: { name: 'Sender', address: 'sender@from.test' },
      to: [{ name: 'Ann', address: 'ann@to.test' }],
      text: expect.stringContaining('Hello Ann'),
      html: expect.stringContaining('<p>Hello <b>Ann</b></p>'),
    });
  });

  it('simulates every outcome: bounced… and delayed… answer by their names', async () => {
    const bounced = await post(host, 'bounced.for-good@to.test');
    const delayed = await post(host, 'delayed@to.test');
    await untilShown(host, bounced, 'bounced', { timeout: host.seconds(2) });
    await untilShown(host, delayed, 'delivery_delayed');
    await untilShown(host, delayed, 'delivered');
    expect((await inboxOf(host)).data.map(({ to }) => to)).toEqual([['delayed@to.test'], ['ann@to.test']]);
  });

  it('reports later, as servers do: later-bounced…, complained… and away… by their names', async () => {
    const bounced = await post(host, 'later-bounced@to.test');
    const complained = await post(host, 'complained@to.test');
    const away = await post(host, 'away@to.test');
    await untilShown(host, away, 'delivered');
    await untilShown(host, complained, 'complained');
    await untilShown(host, bounced, 'bounced');
    const { body } = await host.request<{ data: object[] }>('GET', `/emails/${bounced}/events`);
    expect(body.data[0]).toMatchObject({ type: 'bounced', source: 'dsn', bounce: { type: 'Permanent' } });
    expect(await listed(host, away)).toMatchObject({ last_event: 'delivered' });
  });

  it('keeps back mail to suppressed…', async () => {
    const id = await post(host, 'suppressed+1@to.test');
    await untilShown(host, id, 'suppressed');
  });

  it('keeps everything over a restart', async () => {
    const before = await host.request('GET', '/emails');
    const inbox = await inboxOf(host);
    // Signatures are verified again, and may still be pending.
    const kept = inbox.data.map((entry) => ({ ...entry, dkim: expect.any(Object) }));
    expect(await host.stop()).toBe(0);
    await nobodyLeftIn(host.dataDir);
    await host.start();
    expect((await host.request('GET', '/emails')).body).toEqual(before.body);
    expect(await inboxOf(host)).toEqual({ ...inbox, data: kept });
  });

  it.each([
    ['SIGINT', 0],
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)('leaves no process behind after %s, and starts again', async (signal, code) => {
    expect(processesOf(host.dataDir).size).toBeGreaterThan(1);
    expect(await host.stop(signal)).toBe(code);
    await nobodyLeftIn(host.dataDir);
    await host.start();
    await untilShown(host, await post(host, 'again@to.test'), 'delivered');
  });

  it('delivers accepted emails after a kill', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => post(host, `to${n}@to.test`)));
    await host.kill();
    await host.start();
    for (const id of ids) await untilShown(host, id, 'delivered', { timeout: host.recoveryLimit });
  });

  it('is not started a second time on the same data directory', async () => {
    const second = await prepareHost({ services: 'none', env: { DATA_DIR: host.dataDir } });
    const { code, output } = await second.runToEnd();
    expect(code).toBe(1);
    expect(output).toContain(`in use by process ${host.pid}`);
    expect((await host.request('GET', '/health/ready')).status).toBe(200);
  });
});

describe('the first screen', () => {
  it('shows the address, a stable key, and a working curl command', async () => {
    const host = await prepareHost({ services: 'none', env: { BOOTSTRAP_API_KEY: undefined } });
    await host.start();
    const [, key = ''] = /API key\s+(re_\S+)/.exec(host.output) ?? [];
    const [curl = ''] = /curl .*/.exec(host.output) ?? [];
    expect(host.output).toContain(`Address  ${host.url}`);
    expect(host.output).toContain(`Inbox    ${host.url}/inbox`);

    const { stdout } = await promisify(execFile)('bash', ['-c', curl], { cwd: host.dataDir });
    const { id } = JSON.parse(stdout) as { id: string };
    await untilShown(withKey(host, key), id, 'delivered', { timeout: host.seconds(2) });
    expect((await inboxOf(host)).data).toHaveLength(1);

    await host.restart();
    expect(host.output.match(/API key\s+(re_\S+)/g)).toHaveLength(2);
    expect(new Set(host.output.match(/re_[A-Za-z0-9_-]+/g))).toEqual(new Set([key]));
    expect((await listed(withKey(host, key), id)).last_event).toBe('delivered');
  });

  it('leaves the key of an operator to the shell', async () => {
    const host = await startHost({ services: 'none' });
    expect(host.output).not.toContain(host.token);
    const [curl = ''] = /curl .*/.exec(host.output) ?? [];
    const { PATH } = process.env;
    const env = { PATH, BOOTSTRAP_API_KEY: host.token };
    const { stdout } = await promisify(execFile)('bash', ['-c', curl], { env });
    await untilShown(host, JSON.parse(stdout).id, 'delivered');
  });

  /** The same host with another key. */
  function withKey(host: RunningHost, token: string): RunningHost {
    return Object.assign(Object.create(host), {
      token,
      request: (method: string, path: string) => httpRequest(host.url, method, path, { token }),
    });
  }
});

it('with an SMTP server of the operator there is no inbox', async () => {
  const sink = await SmtpSink.start();
  const host = await startHost({ smtp: sink });
  for (const path of ['/inbox', '/inbox/1/raw']) {
    expect(await host.request('GET', path)).toMatchObject({ status: 404, body: { name: 'not_found' } });
  }
  await untilShown(host, await post(host, 'bounced@to.test'), 'sent');
  expect(sink.messages).toHaveLength(1);
  expect(host.output).not.toContain('Inbox');
});
