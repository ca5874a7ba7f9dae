import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/basics/free-port.mjs';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { HostProcess } from '../support/hosts/host-process.js';
import { everyByte, filesIn } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { headerLines, parseMime } from '../support/reading/mime.js';
import { runClient } from '../support/requests/client-process.js';
import { lowestCli, newestCli, type ResendCli } from '../support/requests/resend-cli.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Its output as JSON. Newer versions of the client write further lines before an error. */
function answerIn(output: string) {
  const lines = output.trimEnd().split('\n');
  const start = lines.findLastIndex((line) => /^[{[]$/.test(line));
  return JSON.parse(lines.slice(Math.max(start, 0)).join('\n'));
}

/** The official command line, unchanged except for its base address. 2.2.1 is the last version for Node 20. */
describe.each<[string, () => ResendCli | Promise<ResendCli>]>([
  ['2.21.0', newestCli],
  ['2.2.1', lowestCli],
])('the official command line, version %s', (_, installed) => {
  let cli: ResendCli;
  let sink: SmtpSink;
  let dns: DnsServer;
  let host: RunningHost;
  let folder: string;

  beforeAll(async () => {
    cli = await installed();
    sink = await SmtpSink.start();
    dns = await DnsServer.start();
    host = await startHost({
      smtp: sink,
      env: {
        WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
        DNS_SERVERS: dns.address,
        BOUNCE_DOMAIN: 'bounces.relay.test',
        BOUNCE_HOST: 'mx.relay.test',
        SPF_MECHANISMS: 'ip4:192.0.2.1',
      },
    });
    folder = makeTempFolder('emails-test-cli-');
  });

  async function resend(args: string[], env = {}) {
    const { code, stdout, stderr } = await runClient(
      cli.script,
      [...args, '--json'],
      {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        RESEND_API_KEY: host.token,
        RESEND_BASE_URL: host.url,
        RESEND_NO_UPDATE_NOTIFIER: '1',
        RESEND_TELEMETRY_DISABLED: '1',
        ...env,
      },
      cli.node,
    );
    return { code, answer: answerIn(stdout || stderr) };
  }

  const send = (...more: string[]) =>
    resend(['emails', 'send', '--from', 'a@from.test', '--to', 'b@to.test', '--subject', 'Hello', ...more]);

  const delivered = (id: string): Promise<SinkMessage> =>
    sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));

  it('sends with every option', async () => {
    const file = join(folder, 'all bytes.bin');
    writeFileSync(file, everyByte());
    const due = new Date(Date.now() + host.seconds(3)).toISOString();
    const { code, answer } = await resend([
      ...['emails', 'send', '--from', 'Jörg <jorg@from.test>', '--to', 'b@to.test', 'c@to.test'],
      ...['--cc', 'd@cc.test', '--bcc', 'e@bcc.test', '--reply-to', 'f@reply.test', '--subject', 'Grüße'],
      ...['--html', '<p>Hallo</p>', '--text', 'Hallo', '--headers', 'X-Entity-Ref-ID=123', '--tags', 'category=cli'],
      ...['--attachment', file, '--scheduled-at', due, '--idempotency-key', 'cli-1'],
    ]);
    expect({ code, answer }).toEqual({ code: 0, answer: { id: expect.any(String) } });
    const message = await delivered(answer.id);
    expect(message.receivedAt.getTime()).toBeGreaterThanOrEqual(Date.parse(due));
    expect(message.envelope.to).toEqual(['b@to.test', 'c@to.test', 'd@cc.test', 'e@bcc.test']);
    expect(await parseMime(message.raw)).toMatchObject({
      from: { name: 'Jörg', address: 'jorg@from.test' },
      replyTo: [{ address: 'f@reply.test' }],
      subject: 'Grüße',
      html: expect.stringContaining('<p>Hallo</p>'),
      text: expect.stringMatching(/^Hallo\s*$/),
    });
    expect(headerLines(message.raw)).toContainEqual(expect.stringMatching(/^X-Entity-Ref-ID: 123$/i));
    const [received] = await filesIn(message);
    expect(received?.filename).toBe('all bytes.bin');
    expect(received?.content).toEqual(readFileSync(file));
  });

  it('sends once for one idempotency key, and shows a conflict', async () => {
    const first = await send('--text', 'Hi', '--idempotency-key', 'cli-2');
    expect(await send('--text', 'Hi', '--idempotency-key', 'cli-2')).toEqual(first);
    await delivered(first.answer.id);
    const other = await send('--text', 'Ho', '--idempotency-key', 'cli-2');
    expect(other).toMatchObject({
      code: 1,
      answer: { error: { message: expect.stringContaining('Idempotency-Key') } },
    });
  });

  it('lists, page by page', async () => {
    const { token } = await host.account('cli');
    const own = { RESEND_API_KEY: token };
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      const body = { from: 'a@from.test', to: 'b@to.test', subject: String(number), text: 'Hi' };
      ids.unshift((await host.request<{ id: string }>('POST', '/emails', { body, token })).body.id);
    }
    const page = async (...args: string[]) => {
      const { code, answer } = await resend(['emails', 'list', ...args], own);
      expect({ code, object: answer.object }).toEqual({ code: 0, object: 'list' });
      return [answer.data.map(({ id }: { id: string }) => id), answer.has_more];
    };
    expect(await page()).toEqual([ids, false]);
    expect(await page('--limit', '2')).toEqual([ids.slice(0, 2), true]);
    expect(await page('--limit', '2', '--after', ids[1] ?? '')).toEqual([ids.slice(2, 4), true]);
    expect(await page('--limit', '2', '--before', ids[3] ?? '')).toEqual([ids.slice(1, 3), true]);
  });

  it('gets, reschedules and cancels an email', async () => {
    const { answer: sent } = await send('--text', 'Hi', '--scheduled-at', '2099-08-05T11:52:01Z');
    const changed = { code: 0, answer: { object: 'email', id: sent.id } };
    expect(await resend(['emails', 'update', sent.id, '--scheduled-at', 'in 3 days'])).toEqual(changed);
    expect(await resend(['emails', 'cancel', sent.id])).toEqual(changed);
    expect(await resend(['emails', 'get', sent.id])).toMatchObject({
      code: 0,
      answer: { object: 'email', id: sent.id, subject: 'Hello', last_event: 'canceled', tags: [] },
    });
    expect(await resend(['emails', 'update', sent.id, '--scheduled-at', 'in 4 days'])).toMatchObject({
      code: 1,
      answer: { error: { code: 'update_error', message: expect.stringContaining('canceled') } },
    });
  });

  it('sends batches from a file, in both modes', async () => {
    const file = join(folder, 'emails.json');
    const email = { from: 'a@from.test', to: ['b@to.test'], subject: 'Of a file', text: 'Hi' };
    writeFileSync(file, JSON.stringify([email, { ...email, subject: 'Second of a file' }]));
    const batch = (...more: string[]) => resend(['emails', 'batch', '--file', file, ...more]);
    const { code, answer } = await batch('--idempotency-key', 'cli-3');
    expect({ code, answer }).toEqual({ code: 0, answer: [{ id: expect.any(String) }, { id: expect.any(String) }] });
    expect(await batch('--idempotency-key', 'cli-3')).toEqual({ code, answer });
    for (const { id } of answer) await delivered(id);

    writeFileSync(file, JSON.stringify([email, { ...email, to: ['nobody'] }]));
    const before = await footprint(host);
    expect(await batch()).toMatchObject({
      code: 1,
      answer: { error: { code: 'batch_error', message: expect.stringContaining('[1].to') } },
    });
    expect(await footprint(host)).toEqual(before);
    expect(await batch('--batch-validation', 'permissive')).toEqual({
      code: 0,
      answer: { data: [{ id: expect.any(String) }], errors: [{ index: 1, message: expect.stringContaining('`to') }] },
    });
  });

  it('lists the attachments of a sent email, and shows the link of one', async () => {
    const file = join(folder, 'list.txt');
    writeFileSync(file, 'a list');
    const { answer: sent } = await send('--text', 'Hi', '--attachment', file);
    const { code, answer: list } = await resend(['emails', 'attachments', sent.id]);
    expect({ code, list }).toMatchObject({ code: 0, list: { object: 'list', has_more: false } });
    expect(list.data).toEqual([expect.objectContaining({ filename: 'list.txt', size: 6 })]);
    const { answer: one } = await resend(['emails', 'attachment', sent.id, list.data[0].id]);
    expect(one).toMatchObject({ object: 'attachment', id: list.data[0].id });
    expect(await (await fetch(one.download_url)).text()).toBe('a list');
  });

  it('creates a working API key, lists it and revokes it', async () => {
    const { answer: made } = await resend(['api-keys', 'create', '--name', 'cli', '--permission', 'sending_access']);
    expect(made).toEqual({ object: 'api_key', id: expect.any(String), token: expect.stringMatching(/^re_/) });
    const key = { RESEND_API_KEY: made.token };
    expect(await resend(['emails', 'list'], key)).toMatchObject({
      code: 1,
      answer: { error: { message: expect.stringContaining('only send') } },
    });
    const { answer: keys } = await resend(['api-keys', 'list']);
    expect(keys.data).toContainEqual(expect.objectContaining({ id: made.id, name: 'cli' }));
    expect(await resend(['api-keys', 'delete', made.id, '--yes'])).toMatchObject({ code: 0 });
    expect((await resend(['emails', 'list'], key)).code).toBe(1);
  });

  it('creates a webhook of all events, shows, changes, lists and deletes it', async () => {
    const endpoint = 'https://hooks.example.com/in';
    const webhooks = (...args: string[]) => resend(['webhooks', ...args]);
    const { code, answer: made } = await webhooks('create', '--endpoint', endpoint, '--events', 'all');
    expect({ code, made }).toEqual({
      code: 0,
      made: { object: 'webhook', id: expect.any(String), signing_secret: expect.stringMatching(/^whsec_/) },
    });
    const { answer: shown } = await webhooks('get', made.id);
    expect(shown).toMatchObject({
      ...made,
      endpoint,
      status: 'enabled',
      events: expect.arrayContaining(['email.sent']),
    });
    const changes = ['--events', 'email.sent,email.bounced', '--status', 'disabled'];
    expect(await webhooks('update', made.id, ...changes)).toEqual({
      code: 0,
      answer: { object: 'webhook', id: made.id },
    });
    const { answer: list } = await webhooks('list');
    expect(list.data).toEqual([
      {
        id: made.id,
        created_at: shown.created_at,
        status: 'disabled',
        endpoint,
        events: ['email.sent', 'email.bounced'],
      },
    ]);
    expect(await webhooks('create', '--endpoint', `${endpoint}#x`, '--events', 'email.sent')).toMatchObject({
      code: 1,
      answer: { error: { code: 'create_error', message: expect.stringContaining('`endpoint`') } },
    });
    expect(await webhooks('delete', made.id, '--yes')).toMatchObject({ code: 0, answer: { deleted: true } });
    expect(await webhooks('get', made.id)).toMatchObject({ code: 1, answer: { error: { code: 'fetch_error' } } });
  });

  it('creates a domain, verifies its records, shows, changes, lists and deletes it', async () => {
    const domains = (...args: string[]) => resend(['domains', ...args]);
    const { code, answer: made } = await domains('create', '--name', 'cli.test', '--tls', 'enforced');
    expect({ code, made }).toMatchObject({ code: 0, made: { name: 'cli.test', status: 'not_started' } });
    expect(made.records.map(({ record, type }: { record: string; type: string }) => [record, type])).toEqual([
      ['DKIM', 'TXT'],
      ['SPF', 'MX'],
      ['SPF', 'TXT'],
    ]);
    publishRecords(dns.zone, 'cli.test', made.records);
    expect(await domains('verify', made.id)).toEqual({ code: 0, answer: { object: 'domain', id: made.id } });
    const shown = await until(
      async () => {
        const { answer } = await domains('get', made.id);
        return answer.status === 'verified' && answer;
      },
      { what: 'a verified domain' },
    );
    expect(shown).toMatchObject({ object: 'domain', id: made.id, name: 'cli.test' });
    for (const { status } of shown.records) expect(status).toBe('verified');

    const { answer } = await resend(['doctor']);
    expect(answer.checks).toContainEqual(
      expect.objectContaining({ name: 'Domains', status: 'pass', message: '1 verified, 0 pending' }),
    );
    expect(await domains('update', made.id, '--tls', 'opportunistic')).toMatchObject({
      code: 0,
      answer: { object: 'domain', id: made.id },
    });
    expect((await domains('list')).answer.data).toEqual([
      expect.objectContaining({ id: made.id, name: 'cli.test', status: 'verified' }),
    ]);
    expect(await domains('create', '--name', 'cli.test')).toMatchObject({
      code: 1,
      answer: { error: { code: 'create_error', message: expect.stringContaining('registered already') } },
    });
    expect(await domains('delete', made.id, '--yes')).toMatchObject({ code: 0, answer: { deleted: true } });
    expect(await domains('get', made.id)).toMatchObject({ code: 1, answer: { error: { code: 'fetch_error' } } });
  });

  it('listens, and shows events until it ends', async () => {
    const port = String(await freePort());
    const env = { PATH: process.env.PATH, HOME: folder, RESEND_API_KEY: host.token, RESEND_BASE_URL: host.url };
    const args = ['webhooks', 'listen', '--url', `http://127.0.0.1:${port}`, '--port', port, '--json'];
    const listening = new HostProcess(
      spawn(cli.node, [cli.script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const webhooks = async () => (await host.request<{ data: { id: string }[] }>('GET', '/webhooks')).body.data;
    try {
      await until(async () => (await webhooks()).length === 1, { what: 'its webhook' });
      const { answer } = await send('--text', 'Hi', '--scheduled-at', '2099-08-05T11:52:01Z');
      await until(() => listening.output.includes(answer.id), { what: 'the event' });
      expect(listening.output).toContain('email.scheduled');
    } finally {
      await listening.stop('SIGINT');
    }
    expect(await webhooks()).toEqual([]);
  });

  it.each<[string, string[], RegExp]>([
    ['an address', ['--to', 'nobody', '--text', 'Hi'], /`to/],
    ['a header of the system', ['--to', 'b@to.test', '--text', 'Hi', '--headers', 'Bcc=c@to.test'], /`headers/],
    ['a tag', ['--to', 'b@to.test', '--text', 'Hi', '--tags', 'a b=c'], /`tags/],
  ])('shows the problem of %s', async (_, more, message) => {
    const before = await footprint(host);
    const sent = await resend(['emails', 'send', '--from', 'a@from.test', '--subject', 'Hello', ...more]);
    expect(sent).toMatchObject({ code: 1, answer: { error: { message: expect.stringMatching(message) } } });
    expect(await footprint(host)).toEqual(before);
  });

  it('checks a key', async () => {
    expect(await resend(['login', '--key', host.token])).toMatchObject({ code: 0, answer: { success: true } });
    const { answer } = await resend(['doctor']);
    expect(answer.checks).toContainEqual(expect.objectContaining({ name: 'API Key', status: 'pass' }));
    const validation = answer.checks.find(({ name }: { name: string }) => name === 'API Validation');
    expect(validation?.status).not.toBe('fail');
    const wrong = await resend(['login', '--key', `re_${'x'.repeat(43)}`]);
    expect(wrong).toMatchObject({
      code: 1,
      answer: { error: { code: 'validation_failed', message: expect.stringContaining('API key is invalid') } },
    });
  });

  it('reports a wrong key', async () => {
    expect(await resend(['emails', 'list'], { RESEND_API_KEY: 're_123' })).toMatchObject({
      code: 1,
      answer: { error: { message: expect.stringContaining('API key') } },
    });
  });
});
