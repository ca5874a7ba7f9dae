import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Notice {
  id: string;
  type: 'alarm.began' | 'alarm.ended';
  data: { code: string; account_id: string | null; subject: string; text: string; since: string; until: string | null };
}

/** An operator's endpoint, and the alarms that it got with a right signature. */
class Pager {
  readonly notices: Notice[] = [];
  answer: (response: ServerResponse) => void = (response) => response.writeHead(200).end();
  url = '';

  static async start(): Promise<Pager> {
    const pager = new Pager();
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const headers = request.headers as Record<string, string>;
      const verified = new Webhook(SECRET).verify(body, headers) as Omit<Notice, 'id'>;
      pager.notices.push({ id: String(headers['webhook-id']), ...verified });
      pager.answer(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    afterFile(() => {
      server.close();
      server.closeAllConnections();
    });
    pager.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms`;
    return pager;
  }

  /** The calls about one code, or one subject of it. */
  about(code: string, subject?: string): Notice[] {
    return this.notices.filter(({ data }) => data.code === code && (subject === undefined || data.subject === subject));
  }

  types(code: string, subject?: string): string[] {
    return this.about(code, subject).map(({ type }) => type);
  }
}

const env = (pager: Pager) => ({
  ALARM_WEBHOOK_URL: pager.url,
  ALARM_WEBHOOK_SECRET: SECRET,
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  RETRY_SCHEDULE: '10m,10m',
});

/** An endpoint of a webhook, which says that it is gone. */
async function goneEndpoint(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(410).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/gone`;
}

/** A webhook that its endpoint disables. */
async function disabledWebhook(host: RunningHost): Promise<string> {
  const body = { endpoint: await goneEndpoint(), events: ['email.scheduled'] };
  const { id } = (await host.request<{ id: string }>('POST', '/webhooks', { body })).body;
  await post(host, 'b@to.test', { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
  await until(async () => (await host.request('GET', `/webhooks/${id}`)).body.status === 'disabled');
  return id;
}

const rowsOf = (host: RunningHost, code: string, subject = '%') =>
  host.query<{ notified_at: Date | null; due_at: Date | null; failures: number }>(
    'SELECT notified_at, due_at, failures FROM nestjs_emails.alarms WHERE code = $1 AND subject LIKE $2',
    [code, subject],
  );

const linesOf = (hosts: readonly RunningHost[], line: RegExp) =>
  hosts.flatMap(({ output }) => output.split('\n').filter((one) => line.test(one)));

describe(`alarms of two processes, queue on ${queueKind()}`, () => {
  let sink: SmtpSink;
  let relay: TcpProxy;
  let pager: Pager;
  let hosts: RunningHost[];
  let host: RunningHost;

  beforeAll(async () => {
    [sink, pager] = await Promise.all([SmtpSink.start(), Pager.start()]);
    relay = await TcpProxy.start('127.0.0.1', sink.port);
    const options = { smtp: relay.through(sink.url), env: { ...env(pager), ALARM_TO: 'ops@ops.test,boss@ops.test' } };
    host = await startHost(options);
    hosts = [host, await startHost({ ...options, beside: host })];
  });

  it('are sent once when the next hop is down or mail is late, and once when that is over', async () => {
    await relay.refuse();
    const id = await post(host, 'b@to.test');
    await until(() => pager.types('next_hop_down').length > 0);
    const [begin] = pager.about('next_hop_down');
    expect(begin).toMatchObject({
      type: 'alarm.began',
      data: { account_id: null, subject: `127.0.0.1:${relay.port}`, until: null },
    });
    const [waiting] = await host.query<{ since: Date }>(
      'SELECT waits_from AS since FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    );
    const delay = Math.abs(Date.parse(begin?.data.since ?? '') - Number(waiting?.since));
    expect(delay).toBeLessThan(10_000);
    expect(pager.types('mail_late')).toEqual([]);
    await host.query(`UPDATE nestjs_emails.deliveries SET waits_from = waits_from - interval '10 minutes'`);
    await until(() => pager.types('mail_late').length > 0);
    expect(sink.messages).toEqual([]);

    await relay.restore();
    await untilShown(host, id, 'sent');
    await until(async () => (await host.query('SELECT FROM nestjs_emails.alarms')).length === 0);
    for (const code of ['next_hop_down', 'mail_late']) {
      expect(pager.types(code)).toEqual(['alarm.began', 'alarm.ended']);
      const [began, ended] = pager.about(code);
      expect(ended?.data).toEqual({ ...began?.data, until: expect.any(String) });
      expect(ended?.id).not.toBe(began?.id);
      expect(linesOf(hosts, new RegExp(`"level":"warn".*"alarm":"${code}".*"msg":"alarm: `))).toHaveLength(1);
      expect(linesOf(hosts, new RegExp(`"level":"info".*"alarm":"${code}".*"msg":"alarm ended: `))).toHaveLength(1);
    }
  });

  it('come by mail too, of which those of an outage waited', async () => {
    const mails = () => sink.messages.filter(({ envelope }) => envelope.to.includes('boss@ops.test'));
    await until(() => mails().length >= 4);
    const subjects = mails().map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString('latin1'))?.[1]);
    const hop = `127.0.0.1:${relay.port}`;
    expect(subjects.sort()).toEqual([
      'Alarm: mail_late (backlog)',
      `Alarm: next_hop_down (${hop})`,
      'Ended: mail_late (backlog)',
      `Ended: next_hop_down (${hop})`,
    ]);
    expect(mails()[0]?.envelope).toMatchObject({ to: ['ops@ops.test', 'boss@ops.test'] });
  });

  it('are sent when a webhook is disabled, and when it is enabled or deleted', async () => {
    const [enabled, deleted] = [await disabledWebhook(host), await disabledWebhook(host)];
    for (const id of [enabled, deleted]) await until(() => pager.types('webhook_disabled', id).length > 0);
    const [account] = await host.query<{ id: string }>(`SELECT id FROM nestjs_emails.accounts WHERE name = 'default'`);
    expect(pager.about('webhook_disabled', enabled)[0]?.data).toMatchObject({
      account_id: account?.id,
      text: 'A webhook gets no more events, because it answered 410 (Gone).',
    });
    await host.request('PATCH', `/webhooks/${enabled}`, { body: { status: 'enabled' } });
    await host.request('DELETE', `/webhooks/${deleted}`);
    await until(async () => (await rowsOf(host, 'webhook_disabled')).length === 0);
    for (const id of [enabled, deleted]) {
      expect(pager.types('webhook_disabled', id)).toEqual(['alarm.began', 'alarm.ended']);
    }
  });

  it('are not about a webhook that its account disables', async () => {
    const body = { endpoint: 'https://hooks.example.com', events: ['email.sent'] };
    const { id } = (await host.request<{ id: string }>('POST', '/webhooks', { body })).body;
    await host.request('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } });
    expect(await rowsOf(host, 'webhook_disabled', id)).toEqual([]);
  });

  it('wait for no transaction that keeps another alarm', async () => {
    const [kept, free] = [await disabledWebhook(host), await disabledWebhook(host)];
    await until(() => pager.types('webhook_disabled', free).length > 0);
    await until(async () => (await rowsOf(host, 'webhook_disabled', kept))[0]?.notified_at);
    const client = new pg.Client(host.databaseUrl);
    await client.connect();
    afterFile(() => client.end());
    await client.query('BEGIN');
    // As of a transaction that ends the alarm, and takes long.
    await client.query('UPDATE nestjs_emails.alarms SET ended_at = now(), due_at = now() WHERE subject = $1', [kept]);
    await host.request('DELETE', `/webhooks/${free}`);
    await until(() => pager.types('webhook_disabled', free).length === 2);
    expect(pager.types('webhook_disabled', kept)).toEqual(['alarm.began']);
    await client.query('ROLLBACK');
    await host.request('DELETE', `/webhooks/${kept}`);
    await until(() => pager.types('webhook_disabled', kept).length === 2);
  });
});

describe('alarms by mail', () => {
  it('leave though an account is held, over its quota, or suppresses the address, which may have bounced', async () => {
    const sink = await SmtpSink.start();
    const { ALARM_WEBHOOK_URL: _, ALARM_WEBHOOK_SECRET: __, ...common } = env(await Pager.start());
    const host = await startHost({ smtp: sink, env: { ...common, ALARM_TO: 'ops@ops.test', QUOTA_PER_DAY: '1' } });
    sink.onRcpt = (address) => (address === 'ops@ops.test' ? '550 5.1.1 No such user' : undefined);
    await host.request('POST', '/suppressions', { body: { email: 'ops@ops.test' } });
    await host.query(
      `INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason)
       SELECT 'account', id::text, '', 'Held.' FROM nestjs_emails.accounts WHERE name = 'default'`,
    );
    const id = await disabledWebhook(host);
    const failed = /"level":"error".*"msg":"An alarm did not reach an address of ALARM_TO: bounced\."/;
    await until(() => linesOf([host], failed).length > 0);
    expect(linesOf([host], failed).join()).not.toContain('ops@ops.test');
    const refused = await host.request('POST', '/emails', {
      body: { from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hello' },
    });
    expect(refused.body).toMatchObject({ name: 'daily_quota_exceeded' });

    sink.onRcpt = () => undefined;
    await host.request('DELETE', `/webhooks/${id}`);
    await sink.waitFor(({ raw }) => raw.includes(`Subject: Ended: webhook_disabled (${id})`));
    for (const table of ['suppressions', 'reputations']) {
      expect(await host.query(`SELECT FROM nestjs_emails.${table} WHERE account_id = 'alarms'`)).toEqual([]);
    }
  });
});

describe('alarms of a process that dies', () => {
  let sink: SmtpSink;
  let relay: TcpProxy;
  let pager: Pager;
  let host: RunningHost;

  beforeAll(async () => {
    [sink, pager] = await Promise.all([SmtpSink.start(), Pager.start()]);
    relay = await TcpProxy.start('127.0.0.1', sink.port);
    host = await startHost({ smtp: relay.through(sink.url), env: env(pager) });
  });

  it('end once after its restart, and do not begin again', async () => {
    await relay.refuse();
    const id = await post(host, 'b@to.test');
    await until(async () => (await rowsOf(host, 'next_hop_down'))[0]?.notified_at);
    await host.kill();
    await relay.restore();
    await host.start();
    await untilShown(host, id, 'sent');
    await until(() => pager.types('next_hop_down').includes('alarm.ended'));
    await until(async () => (await rowsOf(host, 'next_hop_down')).length === 0);
    expect(pager.types('next_hop_down')).toEqual(['alarm.began', 'alarm.ended']);
  });

  it('are sent again if it dies during the call, with the same id', async () => {
    pager.answer = () => {};
    const id = await disabledWebhook(host);
    await until(() => pager.types('webhook_disabled', id).length === 1);
    await host.kill();
    pager.answer = (response) => response.writeHead(204).end();
    await host.start();
    const [{ due_at } = { due_at: null }] = await rowsOf(host, 'webhook_disabled', id);
    expect(Number(due_at)).toBeGreaterThan(Date.now());
    // Its lease is over.
    await host.query('UPDATE nestjs_emails.alarms SET due_at = now() WHERE due_at IS NOT NULL');
    await until(async () => (await rowsOf(host, 'webhook_disabled', id))[0]?.notified_at);
    const [first, second] = pager.about('webhook_disabled', id);
    expect(pager.types('webhook_disabled', id)).toEqual(['alarm.began', 'alarm.began']);
    expect(second?.id).toBe(first?.id);
  });

  it('have an end that was written while it was dead', async () => {
    const id = await disabledWebhook(host);
    await until(async () => (await rowsOf(host, 'webhook_disabled', id))[0]?.notified_at);
    const api = await startHost({ beside: host, role: 'api', env: env(pager) });
    await host.kill();
    await api.request('DELETE', `/webhooks/${id}`);
    expect(pager.types('webhook_disabled', id)).toEqual(['alarm.began']);
    await host.start();
    await until(() => pager.types('webhook_disabled', id).length === 2);
    await api.stop();
  });
});

describe('an endpoint of alarms that hangs', () => {
  it('holds up neither the log, nor mail, nor another alarm, and gets the alarm later', async () => {
    const [sink, pager] = await Promise.all([SmtpSink.start(), Pager.start()]);
    pager.answer = () => {};
    const host = await startHost({ smtp: sink, env: env(pager) });
    const ids = [await disabledWebhook(host), await disabledWebhook(host)];
    await until(() => ids.every((id) => pager.types('webhook_disabled', id).length > 0));
    for (const id of ids) {
      expect(linesOf([host], new RegExp(`"subject":"${id}".*"msg":"alarm: `))).toHaveLength(1);
    }
    await untilShown(host, await post(host, 'b@to.test'), 'sent');
    const [first] = ids;
    await until(async () => ((await rowsOf(host, 'webhook_disabled', first))[0]?.failures ?? 0) > 0);
    expect(host.output).toContain('An alarm did not reach ALARM_WEBHOOK_URL: it did not answer in time.');
    pager.answer = (response) => response.writeHead(200).end();
    await until(async () => (await rowsOf(host, 'webhook_disabled', first))[0]?.notified_at);
    // The log had it already.
    expect(linesOf([host], new RegExp(`"subject":"${first}".*"msg":"alarm: `))).toHaveLength(1);
  });
});

describe('feedback that leads to no email', () => {
  it('is an alarm after an hour, until an hour without any', async () => {
    const pager = await Pager.start();
    const host = await startHost({ smtp: 'inbox', env: env(pager) });
    const port = await until(() => /Reports are accepted by SMTP on port (\d+)/.exec(host.output)?.[1]);
    const raw = [
      'From: fbl@provider.test',
      'Subject: complaint',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'This is an email abuse report.',
      '--x',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'User-Agent: Provider/1.0',
      'Version: 1',
      'Original-Rcpt-To: <b@to.test>',
      '',
      '--x',
      'Content-Type: message/rfc822',
      '',
      'From: a@from.test',
      'To: b@to.test',
      'Message-ID: <nobody-knows@from.test>',
      'Subject: Hello',
      '',
      'Hello',
      '--x--',
      '',
    ].join('\r\n');
    const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true });
    await transport.sendMail({ envelope: { from: 'fbl@provider.test', to: 'fbl@bounces.test' }, raw });
    const noted = await host.query('SELECT first_at = last_at AS same FROM nestjs_emails.unmatched_reports');
    expect(noted).toEqual([{ same: true }]);
    const age = (column: string) =>
      host.query(`UPDATE nestjs_emails.unmatched_reports SET ${column} = now() - interval '61 minutes'`);
    await age('first_at');
    await until(() => pager.types('feedback_unmatched').length > 0);
    expect(pager.about('feedback_unmatched')[0]?.data.subject).toBe('feedback addresses');
    await age('last_at');
    await until(() => pager.types('feedback_unmatched').length > 1);
    expect(pager.types('feedback_unmatched')).toEqual(['alarm.began', 'alarm.ended']);
  });
});
