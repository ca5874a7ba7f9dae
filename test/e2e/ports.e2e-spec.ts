import {
  type ContentOwner,
  type EmailEventDto,
  type EmailRecipientDto,
  type ListEnvelope,
  type MessageStage,
  PostgresAttachmentStorage,
  type ReportedOutcome,
  type SenderPolicy,
} from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { until } from '../support/basics/wait-for.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { attemptsOf, eventsOf, eventTypes, listed, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines } from '../support/reading/mime.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** State of the host's ports, in the host's process: the test reaches it by `host.run`. */
declare global {
  var askedSenders: unknown[] | undefined;
  var unverified: string | undefined;
  var staged: string[] | undefined;
  var owned: string[] | undefined;
  var owner: 'away' | 'slow' | undefined;
  var isOwnerAsked: boolean | undefined;
}

/** Refuses senders of one domain, like a feature with verified domains. */
const verified: SenderPolicy['decide'] = async (question) => {
  globalThis.askedSenders = [...(globalThis.askedSenders ?? []), question];
  if (question.from === 'odd@from.test') return { allowed: false, code: 'odd', message: 'No.', status: 200 as never };
  if (!question.from.endsWith(`@${globalThis.unverified}`)) return { allowed: true };
  return {
    allowed: false,
    code: 'domain_not_verified',
    message: `The ${globalThis.unverified} domain is not verified.`,
    name: 'validation_error',
  };
};

/** Puts its input into a header in front of the message, like a signature. */
const sign: MessageStage['apply'] = ({ raw, envelope }) => {
  globalThis.staged = [...(globalThis.staged ?? []), `signed ${envelope.from}`];
  const first = Buffer.isBuffer(raw) ? raw.toString('latin1').split('\r\n')[0] : 'a stream';
  return { headers: [['X-Signature', `over\r\n\t${first}`]] };
};

/** A return path of its own for each email. Hangs for recipients at one domain. */
const returnPath: MessageStage['apply'] = ({ emailId, fromDomain, transport, envelope }) => {
  if (envelope.recipients[0]?.endsWith('@hangs.test')) return new Promise(() => {});
  globalThis.staged = [...(globalThis.staged ?? []), `returns ${envelope.from}`];
  return {
    envelopeFrom: `bounce+${emailId}@${fromDomain}`,
    headers: [['X-Transport', `${transport.kind} ${transport.name.replace(/\d+$/, 'port')}`]],
  };
};

const keeps: ContentOwner['keeps'] = async (hashes) => {
  if (globalThis.owner === 'away') throw new Error('The owner is away.');
  globalThis.isOwnerAsked = true;
  while (globalThis.owner === 'slow') await new Promise((resolve) => setTimeout(resolve, 50));
  return hashes.filter((hash) => globalThis.owned?.includes(hash));
};

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  const ports = SmallHost.ports({
    senderPolicies: [{ decide: verified }],
    messageStages: [{ apply: sign, isSignature: true }, { apply: returnPath }],
    contentOwners: [{ keeps }],
  });
  const delivery = { retrySchedule: [200, 600_000], sweepInterval: 500 };
  host = await SmallHost.start(sink, { delivery }, undefined, [], { ports });
});

beforeEach(async () => {
  sink.reset();
  await host.run(async () => {
    globalThis.askedSenders = [];
    globalThis.unverified = 'unverified.test';
    globalThis.staged = [];
  });
});

const senderQuestions = () => host.run(async () => globalThis.askedSenders);
const eventsShown = async (id: string) =>
  (await host.request<ListEnvelope<EmailEventDto>>('GET', `/emails/${id}/events`)).body.data;
const recipientsShown = async (id: string) =>
  (await host.request<ListEnvelope<EmailRecipientDto>>('GET', `/emails/${id}/recipients`)).body.data;

describe(`a sender policy, queue on ${queueKind()}`, () => {
  const refused = { from: 'Ann <a@unverified.test>', to: 'b@to.test', subject: 'x', text: 'x' };
  const error = { statusCode: 403, name: 'validation_error', message: 'The unverified.test domain is not verified.' };
  const countEmails = async () => (await host.query('SELECT FROM nestjs_emails.emails')).length;

  it('is asked at acceptance with the key of the request, and refuses with nothing written', async () => {
    const before = await countEmails();
    const headers = { 'x-key-id': 'key-7' };
    expect((await host.request('POST', '/emails', { body: refused, headers })).body).toEqual(error);
    expect(await senderQuestions()).toEqual([{ accountId: 'one', from: 'a@unverified.test', apiKeyId: 'key-7' }]);
    const strict = await host.request('POST', '/emails/batch', {
      body: [{ ...refused, from: 'a@from.test' }, refused],
    });
    expect(strict.body).toEqual({ ...error, message: `\`[1]\`: ${error.message}` });
    await expect(host.run(({ emails }, email) => emails.send('one', email), refused)).rejects.toMatchObject(error);
    expect(await countEmails()).toBe(before);
    const permissive = await host.request<{ data: unknown[]; errors: unknown[] }>('POST', '/emails/batch', {
      body: [refused, { ...refused, from: 'a@from.test' }, refused],
      headers: { 'x-batch-validation': 'permissive' },
    });
    expect(permissive.body).toMatchObject({ data: [{}], errors: [{ index: 0, message: error.message }, { index: 2 }] });
    expect(await countEmails()).toBe(before + 1);
  });

  it('with an invalid decision is a 500 and a line in the log', async () => {
    const { status, body } = await host.request('POST', '/emails', { body: { ...refused, from: 'odd@from.test' } });
    expect([status, body.name]).toEqual([500, 'application_error']);
    await until(() => host.output.includes("`status` of a sender policy's decision must be 403 or 422."));
  });

  it('is asked when an email is sent again', async () => {
    const id = await post(host, 'b@to.test');
    await untilShown(host, id, 'sent');
    await host.run(async () => {
      globalThis.unverified = 'from.test';
    });
    const again = await host.request('POST', `/emails/${id}/resend`, { body: { recipients: ['b@to.test'] } });
    expect(again.body).toEqual({ ...error, message: 'The from.test domain is not verified.' });
  });

  it('is asked again at delivery after more than an hour, and ends the recipients with its code', async () => {
    const accepted = async (from: string) => {
      const body = { ...refused, from, to: ['b@to.test', 'c@to.test'], scheduled_at: '2096-11-21T05:26:01Z' };
      const headers = { 'x-key-id': 'key-7' };
      const { id } = (await host.request<{ id: string }>('POST', '/emails', { body, headers })).body;
      return id;
    };
    const [early, late, lost] = [
      await accepted('a@from.test'),
      await accepted('a@from.test'),
      await accepted('a@lost.test'),
    ];
    await host.query(
      "UPDATE nestjs_emails.emails SET created_at = created_at - interval '61 minutes' WHERE id = ANY($1)",
      [[late, lost]],
    );
    await host.run(async () => {
      globalThis.askedSenders = [];
      globalThis.unverified = 'lost.test';
    });
    for (const id of [early, late, lost]) {
      await host.request('PATCH', `/emails/${id}`, { body: { scheduled_at: '2026-01-01T00:00:00Z' } });
    }
    await untilShown(host, early, 'sent');
    await untilShown(host, late, 'sent');
    await untilShown(host, lost, 'failed');
    const question = { accountId: 'one', apiKeyId: 'key-7' };
    const asked = (await senderQuestions())?.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(asked).toEqual([
      { ...question, from: 'a@from.test' },
      { ...question, from: 'a@lost.test' },
    ]);
    const failed = (await eventsShown(lost)).filter(({ type }) => type === 'failed');
    const reason = { reason: 'domain_not_verified', reason_code: 'domain_not_verified' };
    expect(failed.map(({ recipient }) => recipient).sort()).toEqual(['b@to.test', 'c@to.test']);
    for (const event of failed) expect(event).toMatchObject({ ...reason, source: 'policy', attempt: null });
    expect(await recipientsShown(lost)).toMatchObject([{ last_event: 'failed', ...reason }, { last_event: 'failed' }]);
    expect(await attemptsOf(host, lost)).toEqual([]);
    expect(sink.messages.every(({ envelope }) => !envelope.from.includes('lost.test'))).toBe(true);
  });
});

describe('message stages', () => {
  it('put headers in front and give another sender, once for each attempt, the signature last', async () => {
    sink.onRcpt = (address, count) => (address === 'b@to.test' && count === 1 ? '451 4.7.1 later' : undefined);
    const id = await post(host, 'b@to.test', { html: `<p>${'long '.repeat(40_000)}</p>`, text: 'short' });
    await untilShown(host, id, 'sent');
    const small = await post(host, 'c@to.test');
    await sink.waitFor(2);
    for (const [message, of] of [
      [sink.messages[0], id],
      [sink.messages[1], small],
    ] as const) {
      expect(message?.envelope.from).toBe(`bounce+${of}@from.test`);
      const [signature, transport, ...rest] = headerLines(message!.raw);
      expect(signature).toMatch(
        of === small ? /^X-Signature: over\r\n\tX-Transport: smtp/ : /^X-Signature: over\r\n\t/,
      );
      expect(transport).toBe('X-Transport: smtp 127.0.0.1:port');
      expect(rest.join('\n')).toMatch(/^From: Sender <sender@from\.test>$/m);
    }
    expect(await host.run(async () => globalThis.staged)).toEqual(
      [id, id, small].flatMap((of) => ['returns sender@from.test', `signed bounce+${of}@from.test`]),
    );
    const { text } = await host.request('GET', `/emails/${small}/source`);
    expect(text).not.toMatch(/X-Signature|X-Transport/);
    expect(sink.messages[1]?.raw.toString('latin1').endsWith(text)).toBe(true);
  });
});

describe('a message stage that hangs', () => {
  it('puts off its own emails, more than there are connections, and delays no other', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 25; n++) ids.push(await post(host, `b${n}@hangs.test`));
    await untilShown(host, await post(host, 'b@to.test'), 'sent');
    await untilShown(host, ids[0] as string, 'delivery_delayed');
    expect(await eventsShown(ids[0] as string)).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'delivery_delayed', reason_code: 'message_not_made' })]),
    );
    expect(await attemptsOf(host, ids[0] as string)).toEqual([]);
    expect(sink.messages).toHaveLength(1);
    for (const id of ids) await host.request('POST', `/emails/${id}/cancel`);
  });
});

describe('what is reported later', () => {
  const report = (outcome: Partial<ReportedOutcome>) =>
    host.run(({ emails }, given) => emails.report(given as ReportedOutcome), { source: 'relay', ...outcome });
  const sent = async (to: string | string[] = 'b@to.test') => {
    const id = await post(host, to);
    await untilShown(host, id, 'sent');
    return id;
  };

  it('moves a recipient forward, once and never back, and shows it in timeline and record', async () => {
    const id = await sent();
    const to = { emailId: id, recipient: 'B@to.test' };
    expect(await report({ ...to, kind: 'deferred', reply: '451 4.2.1 busy' })).toBe('recorded');
    expect(await report({ ...to, kind: 'deferred', reply: '451 4.2.1 busy' })).toBe('unchanged');
    expect((await listed(host, id)).last_event).toBe('sent');
    expect(await report({ ...to, kind: 'delivered', reply: '250 ok' })).toBe('recorded');
    expect(await report({ ...to, kind: 'delivered' })).toBe('unchanged');
    const reply = '550 5.1.1 User unknown';
    expect(await report({ ...to, kind: 'bounced', source: 'dsn', code: 'unknown_user', reply })).toBe('recorded');
    expect(await report({ ...to, kind: 'delivered' })).toBe('unchanged');
    expect(await report({ ...to, kind: 'complained', source: 'feedback', accountId: 'one' })).toBe('recorded');
    expect((await listed(host, id)).last_event).toBe('complained');
    const [complained, bounced, delivered, delayed] = await eventsShown(id);
    const plain = { recipient: 'b@to.test', attempt: null, reason: null, reason_code: null };
    expect(complained).toMatchObject({ ...plain, type: 'complained', source: 'feedback' });
    expect(bounced).toMatchObject({
      ...plain,
      type: 'bounced',
      source: 'dsn',
      reason: reply,
      reason_code: 'unknown_user',
      bounce: { type: 'Permanent', subType: 'General', diagnosticCode: [`smtp; ${reply}`] },
    });
    expect(delivered).toMatchObject({ ...plain, type: 'delivered', source: 'relay', reason: '250 ok' });
    expect(delayed).toMatchObject({ ...plain, type: 'delivery_delayed', source: 'relay', reason: '451 4.2.1 busy' });
    expect(await recipientsShown(id)).toMatchObject([{ last_event: 'complained', next_attempt_at: null }]);
    const told = await host.run(async ({ events }, id) => events.filter(({ emailId }) => emailId === id), id);
    expect(told.map(({ type, reason, reasonCode }) => [type, reason, reasonCode]).slice(-2)).toEqual([
      ['bounced', reply, 'unknown_user'],
      ['complained', undefined, undefined],
    ]);
  });

  it('has no sentence for a code of the library, and keeps nothing else of a bounce than its kind', async () => {
    const id = await sent();
    const bounce = { type: 'Permanent', subType: 'MailboxFull', secret: 'joe@else.test\0' } as const;
    const fields = { emailId: id, recipient: 'b@to.test', code: 'expired', reply: '550 5.1.1 nobody' };
    expect(await report({ ...fields, kind: 'bounced', bounce })).toBe('recorded');
    const shown = { reason: '550 5.1.1 nobody', reason_code: 'expired' };
    expect((await eventsShown(id))[0]).toMatchObject({
      ...shown,
      bounce: { type: 'Permanent', subType: 'MailboxFull' },
    });
    expect(await recipientsShown(id)).toMatchObject([shown]);
    const [told] = await host.run(
      async ({ events }, id) => events.filter(({ emailId }) => emailId === id).slice(-1),
      id,
    );
    expect(told).toMatchObject({ reason: '550 5.1.1 nobody', reasonCode: 'expired' });
    const stored = 'SELECT bounce FROM nestjs_emails.events WHERE email_id = $1 AND bounce IS NOT NULL';
    expect(await host.query(stored, [id])).toEqual([{ bounce: { type: 'Permanent', subType: 'MailboxFull' } }]);
    await expect(report({ ...fields, kind: 'bounced', diagnostic: 'x' } as never)).rejects.toThrow('`diagnostic`');
  });

  it('gets a value for an unknown email or recipient', async () => {
    const id = await sent();
    const known = { emailId: id, recipient: 'b@to.test', kind: 'bounced' } as const;
    expect(await report({ ...known, recipient: 'c@to.test' })).toBe('unknown_recipient');
    expect(await report({ ...known, emailId: '0196a000-0000-7000-8000-000000000001' })).toBe('unknown_email');
    expect(await report({ ...known, emailId: 'no id' })).toBe('unknown_email');
    expect(await report({ ...known, accountId: 'another' })).toBe('unknown_email');
    await expect(report({ ...known, kind: 'opened' as never })).rejects.toThrow('`kind` of a report must be one of');
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent']);
  });

  it('of many recipients at the same time loses none', async () => {
    const to = Array.from({ length: 20 }, (_, place) => `r${place}@to.test`);
    const id = await sent(to);
    const results = await host.run(
      ({ emails }, emailId, to) =>
        Promise.all(to.map((recipient) => emails.report({ emailId, recipient, kind: 'delivered', source: 'relay' }))),
      id,
      to,
    );
    expect(new Set(results)).toEqual(new Set(['recorded']));
    expect((await listed(host, id)).last_event).toBe('delivered');
    expect(new Set((await recipientsShown(id)).map(({ last_event }) => last_event))).toEqual(new Set(['delivered']));
  });

  it('of a deferred recipient ends the attempts for this one alone', async () => {
    sink.onRcpt = (address, count) => (address.startsWith('late') && count < 3 ? '451 4.7.1 later' : undefined);
    const id = await post(host, ['late@to.test', 'later@to.test']);
    await until(
      async () => (await attemptsOf(host, id)).filter(({ finished_at }) => finished_at !== null).length === 2,
    );
    expect(await report({ emailId: id, recipient: 'late@to.test', kind: 'bounced', reply: '550 no' })).toBe('recorded');
    const [late, later] = await recipientsShown(id);
    expect(late).toMatchObject({ last_event: 'bounced', next_attempt_at: null });
    expect(later).toMatchObject({ last_event: 'delivery_delayed', next_attempt_at: expect.any(String) });
    await host.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = $1', [id]);
    await until(async () => (await eventTypes(host, id, 'later@to.test')).includes('sent'));
    expect(await eventTypes(host, id, 'late@to.test')).not.toContain('sent');
    expect((await listed(host, id)).last_event).toBe('bounced');
  });

  it('of an email without an attempt changes nothing', async () => {
    const id = await post(host, 'b@to.test', { scheduled_at: '2096-11-21T05:26:01Z' });
    expect(await report({ emailId: id, recipient: 'b@to.test', kind: 'bounced' })).toBe('unchanged');
    expect(await eventsOf(host, id)).toEqual([{ type: 'scheduled', recipient: null, reason: null }]);
  });
});

describe('an owner of stored contents', () => {
  const contents = async () =>
    (await host.query<{ hash: string }>('SELECT hash FROM nestjs_emails.attachment_contents')).map(({ hash }) => hash);

  const withContent = (content: string) => ({
    attachments: [{ filename: 'a.txt', content: Buffer.from(content).toString('base64') }],
  });
  const attach = async (content: string, to = 'jane@person.test') => {
    const before = new Set(await contents());
    const id = await post(host, to, withContent(content));
    await untilShown(host, id, 'sent');
    return { id, hash: (await contents()).find((hash) => !before.has(hash)) as string };
  };
  const erase = async (email = 'jane@person.test') => {
    const { id } = (await host.request<{ id: string }>('POST', '/erasures', { body: { email } })).body;
    return { isFinished: async () => (await host.request('GET', `/erasures/${id}`)).body.status === 'finished', id };
  };
  const own = (...hashes: string[]) =>
    host.run(async (_, hashes) => {
      globalThis.owned = hashes;
    }, hashes);
  const ownerIs = (state: 'away' | 'slow' | undefined) =>
    host.run(async (_, state) => {
      globalThis.owner = state;
    }, state);

  it('keeps what no email has from housekeeping, and from an erasure', async () => {
    const [kept, gone] = [await attach('kept'), await attach('gone')];
    await own(kept.hash);
    const { isFinished } = await erase();
    await until(isFinished);
    expect(await contents()).toContain(kept.hash);
    expect(await contents()).not.toContain(gone.hash);
  });

  it('keeps what its transaction puts, before its rows can be seen', async () => {
    const { hash } = await attach('put again');
    const source = await new DataSource({ type: 'postgres', url: host.databaseUrl }).initialize();
    await source.transaction(async (manager) => {
      const transaction = {
        query: async (sql: string, values: unknown[]) => ({ rows: await manager.query(sql, values) }),
      };
      await new PostgresAttachmentStorage(source).put(hash, Buffer.from('put again'), transaction);
      await until((await erase()).isFinished);
    });
    await source.destroy();
    expect(await contents()).toContain(hash);
  });

  it('that is away delays the end of an erasure, and no other part of it', async () => {
    const { id, hash } = await attach('not decided');
    await ownerIs('away');
    const erasure = await erase();
    await until(async () => String((await host.request('GET', `/emails/${id}`)).body.to) === 'erased@erased.invalid');
    expect((await host.request<ListEnvelope<unknown>>('GET', `/emails/${id}/attachments`)).body.data).toEqual([]);
    await until(() => host.output.includes('A content owner did not answer'));
    expect(host.output.match(/A content owner did not answer/g)).toHaveLength(1);
    expect(await contents()).toContain(hash);
    expect(await erasure.isFinished()).toBe(false);
    await ownerIs(undefined);
    await host.query('UPDATE nestjs_emails.erasures SET due_at = now() WHERE due_at > now()');
    await until(erasure.isFinished);
    expect(await contents()).not.toContain(hash);
  });

  it('that is slow holds no lock: the content is accepted again, and then stays', async () => {
    const { hash } = await attach('slow');
    await ownerIs('slow');
    await host.run(async () => {
      globalThis.isOwnerAsked = false;
    });
    const { isFinished } = await erase();
    await until(() => host.run(async () => globalThis.isOwnerAsked));
    await untilShown(host, await post(host, 'joe@else.test', withContent('slow')), 'sent');
    expect(await isFinished()).toBe(false);
    await ownerIs(undefined);
    await until(isFinished);
    expect(await contents()).toContain(hash);
  });

  it('is asked by housekeeping about contents without an email', async () => {
    await host.query(`
      INSERT INTO nestjs_emails.attachment_contents (hash, slice, content, touched_at)
      SELECT md5(n::text), 0, 'old', now() - interval '2 days' FROM generate_series(1, 150) AS n`);
    // Housekeeping runs at a start, after which the host no longer owns anything.
    const ports = SmallHost.ports({
      contentOwners: [{ keeps: async (hashes: string[]) => hashes.filter((hash) => hash < '8') }],
    });
    await host.startWith({ ports });
    await until(async () => (await contents()).every((hash) => hash.length > 32 || hash < '8'));
    const [row] = await host.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM nestjs_emails.attachment_contents WHERE length(hash) = 32 AND hash < '8'",
    );
    expect(row?.count).toBeGreaterThan(20);
  });

  it('that does not answer about some contents keeps these, and housekeeping goes on to the next', async () => {
    await host.query(`
      INSERT INTO nestjs_emails.attachment_contents (hash, slice, content, touched_at)
      SELECT lpad(n::text, 5, '0'), 0, 'old', now() - interval '2 days' FROM generate_series(1, 250) AS n`);
    const keeps: ContentOwner['keeps'] = async (hashes) => {
      if (hashes.includes('00001')) throw new Error('no answer');
      return [];
    };
    await host.startWith({ ports: SmallHost.ports({ contentOwners: [{ keeps }] }) });
    await until(async () => !(await contents()).includes('00250'));
    expect(await contents()).toContain('00001');
  });
});
