import { randomUUID } from 'node:crypto';
import { type CreateEmailOptions, Resend } from 'resend';
import { eventually } from '../support/basics/wait-for.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { everyByte, filesIn, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { headerLines, headerNames, parseMime } from '../support/reading/mime.js';
import { ok } from '../support/requests/sdk-answer.js';
import type { SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/);

/** The official Node client, unchanged except for its base address: an email's whole life. */
describe('the official client', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let resend: Resend;

  beforeAll(async () => {
    ({ host, sink } = await shareHost());
    resend = new Resend(host.token, { baseUrl: host.url });
  });

  const simple = (more: Partial<CreateEmailOptions> = {}) =>
    ({ from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hi', ...more }) as CreateEmailOptions;

  async function send(payload: CreateEmailOptions, idempotencyKey?: string): Promise<string> {
    const { data, error } = await resend.emails.send(payload, idempotencyKey ? { idempotencyKey } : {});
    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    return data?.id ?? '';
  }

  const delivered = (id: string): Promise<SinkMessage> =>
    sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));

  async function record(id: string) {
    const { data } = await resend.emails.list({ limit: 100 });
    return data?.data.find((email) => email.id === id);
  }

  it('sends with every option', async () => {
    const image = randomFile(3_000);
    const due = new Date(Date.now() + host.seconds(1.5));
    const id = await send({
      from: '"Jörg, Inc." <jorg@from.test>',
      to: ['b@to.test', 'Ünal <c@to.test>'],
      cc: 'd@cc.test',
      bcc: ['e@bcc.test'],
      replyTo: ['f@reply.test', 'G <g@reply.test>'],
      subject: 'Grüße 📬',
      html: '<p>Hallo <img src="cid:logo"></p>',
      text: 'Hallo',
      headers: { 'X-Entity-Ref-ID': '123', 'List-Unsubscribe': '<https://from.test/u>' },
      tags: [{ name: 'category', value: 'welcome' }],
      attachments: [
        { filename: 'logo.png', content: image, contentId: 'logo' },
        { filename: 'all.bin', content: everyByte().toString('base64') },
        { filename: 'view.csv', content: new Uint8Array([97, 59, 98]), contentType: 'text/csv; charset=utf-8' },
        { filename: 'buffer.bin', content: new Uint8Array(everyByte()).buffer },
      ],
      scheduledAt: due.toISOString(),
    });
    expect(await record(id)).toMatchObject({ last_event: 'scheduled' });
    const message = await delivered(id);
    expect(message.receivedAt.getTime()).toBeGreaterThanOrEqual(due.getTime());
    expect(message.envelope).toMatchObject({
      from: 'jorg@from.test',
      to: ['b@to.test', 'c@to.test', 'd@cc.test', 'e@bcc.test'],
    });

    const parsed = await parseMime(message.raw);
    expect(parsed).toMatchObject({
      from: { name: 'Jörg, Inc.', address: 'jorg@from.test' },
      to: [{ address: 'b@to.test' }, { name: 'Ünal', address: 'c@to.test' }],
      cc: [{ address: 'd@cc.test' }],
      replyTo: [{ address: 'f@reply.test' }, { name: 'G', address: 'g@reply.test' }],
      subject: 'Grüße 📬',
      text: expect.stringMatching(/^Hallo\s*$/),
      html: expect.stringContaining('<p>Hallo <img src="cid:logo"></p>'),
    });
    expect(headerNames(message.raw)).not.toContain('bcc');
    expect(message.raw.includes('bcc.test')).toBe(false);
    expect(headerLines(message.raw)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^X-Entity-Ref-ID: 123$/i),
        expect.stringMatching(/^List-Unsubscribe: <https:\/\/from\.test\/u>$/i),
      ]),
    );
    const files = await filesIn(message);
    expect(Object.fromEntries(files.map(({ filename, mimeType }) => [filename, mimeType]))).toEqual({
      'logo.png': 'image/png',
      'all.bin': 'application/octet-stream',
      'view.csv': 'text/csv',
      'buffer.bin': 'application/octet-stream',
    });
    const contentOf = (name: string) => files.find(({ filename }) => filename === name)?.content;
    expect(contentOf('logo.png')).toEqual(image);
    expect(contentOf('all.bin')).toEqual(everyByte());
    expect(contentOf('view.csv')).toEqual(Buffer.from('a;b'));
    expect(contentOf('buffer.bin')).toEqual(everyByte());
    expect(files.find(({ filename }) => filename === 'logo.png')).toMatchObject({
      contentId: '<logo>',
      disposition: 'inline',
    });

    const listed = await eventually(async () => {
      const found = await record(id);
      expect(found).toMatchObject({ last_event: 'sent' });
      return found;
    });
    expect(listed).toMatchObject({
      id,
      from: '"Jörg, Inc." <jorg@from.test>',
      to: ['b@to.test', 'Ünal <c@to.test>'],
      cc: ['d@cc.test'],
      bcc: ['e@bcc.test'],
      reply_to: ['f@reply.test', 'G <g@reply.test>'],
      subject: 'Grüße 📬',
    });
    expect(new Date(listed?.scheduled_at ?? '').getTime()).toBe(due.getTime());
  });

  it('sends with single values, and derives a text from html', async () => {
    const id = await send({
      from: 'a@from.test',
      to: 'b@to.test',
      replyTo: 'c@reply.test',
      subject: 'Hello',
      html: '<h1>Hi</h1><p>there</p>',
    });
    const parsed = await parseMime((await delivered(id)).raw);
    expect(parsed).toMatchObject({ replyTo: [{ address: 'c@reply.test' }], text: expect.stringMatching(/hi/i) });
    expect(await record(id)).toMatchObject({ cc: [], bcc: [], reply_to: ['c@reply.test'], scheduled_at: null });
  });

  it('sends with empty options', async () => {
    const id = await send(
      simple({ cc: [], bcc: '', replyTo: [], headers: {}, tags: [], attachments: [], topicId: null, scheduledAt: '' }),
    );
    await delivered(id);
    expect(await record(id)).toMatchObject({ cc: [], bcc: [], reply_to: [], scheduled_at: null });
  });

  it('sends once for one idempotency key and repeated requests', async () => {
    const payload = simple({ subject: 'Once', attachments: [{ filename: 'a.txt', content: Buffer.from('abc') }] });
    const ids = await Promise.all(Array.from({ length: 5 }, () => send(payload, 'key-1')));
    expect(new Set(ids).size).toBe(1);
    const again = await resend.emails.send(payload, { idempotencyKey: 'key-1' });
    expect(again).toMatchObject({ data: { id: ids[0] }, error: null, headers: { 'idempotent-replayed': 'true' } });
    const other = await send(payload, 'key-2');
    expect(other).not.toBe(ids[0]);
    await delivered(other);
    await delivered(ids[0] ?? '');
    expect(sink.offered.filter(({ raw }) => raw.includes('Subject: Once'))).toHaveLength(2);

    const conflict = await resend.emails.send({ ...payload, subject: 'Twice' }, { idempotencyKey: 'key-1' });
    expect(conflict).toMatchObject({
      data: null,
      error: {
        name: 'invalid_idempotent_request',
        statusCode: 409,
        message: expect.stringContaining('Idempotency-Key'),
      },
    });
  });

  it('lists, page by page in both directions', async () => {
    const { token } = await host.account('pages');
    const own = new Resend(token, { baseUrl: host.url });
    expect((await own.emails.list()).data).toEqual({ object: 'list', has_more: false, data: [] });

    const ids: string[] = [];
    for (let number = 0; number < 25; number++) {
      const { data } = await own.emails.send(simple({ subject: `Number ${number}` }));
      ids.unshift(data?.id ?? '');
    }
    const page = async (options: Parameters<typeof own.emails.list>[0]) => {
      const { data, error } = await own.emails.list(options);
      expect(error).toBeNull();
      expect(data?.object).toBe('list');
      return [data?.data.map(({ id }) => id), data?.has_more];
    };
    const [from, to] = [ids[9] ?? '', ids[20] ?? ''];
    expect(await page({})).toEqual([ids.slice(0, 20), true]);
    expect(await page({ limit: 100 })).toEqual([ids, false]);
    expect(await page({ limit: 10 })).toEqual([ids.slice(0, 10), true]);
    expect(await page({ limit: 10, after: from })).toEqual([ids.slice(10, 20), true]);
    expect(await page({ after: from })).toEqual([ids.slice(10), false]);
    expect(await page({ limit: 10, before: to })).toEqual([ids.slice(10, 20), true]);
    expect(await page({ before: from })).toEqual([ids.slice(0, 9), false]);
  });

  it('gets an email with everything that was sent', async () => {
    const id = await send({
      from: '"Jörg, Inc." <jorg@from.test>',
      to: ['b@to.test', 'Ünal <c@to.test>'],
      bcc: 'e@bcc.test',
      replyTo: 'f@reply.test',
      subject: 'Grüße',
      html: '<p>Hallo</p>',
      tags: [
        { name: 'category', value: 'welcome' },
        { name: 'plan', value: 'pro' },
      ],
    });
    await delivered(id);
    const email = await eventually(async () => {
      const found = await ok(resend.emails.get(id));
      expect(found).toMatchObject({ last_event: 'sent' });
      return found;
    });
    expect(email).toEqual({
      object: 'email',
      id,
      message_id: `<${id}@from.test>`,
      from: '"Jörg, Inc." <jorg@from.test>',
      to: ['b@to.test', 'Ünal <c@to.test>'],
      cc: [],
      bcc: ['e@bcc.test'],
      reply_to: ['f@reply.test'],
      subject: 'Grüße',
      html: '<p>Hallo</p>',
      text: null,
      created_at: TIME,
      scheduled_at: null,
      last_event: 'sent',
      tags: [
        { name: 'category', value: 'welcome' },
        { name: 'plan', value: 'pro' },
      ],
      topic_id: null,
      priority: 'now',
    });
  });

  it('reschedules and cancels an email', async () => {
    const [early, never] = await Promise.all([
      send(simple({ subject: 'Earlier', scheduledAt: '2099-08-05T11:52:01Z' })),
      send(simple({ subject: 'Never', scheduledAt: '2099-08-05T11:52:01Z' })),
    ]);
    const later = { id: never, scheduledAt: '2099-09-05T11:52:01.858Z' };
    expect(await ok(resend.emails.update(later))).toEqual({ object: 'email', id: never });
    expect(await ok(resend.emails.get(never))).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: '2099-09-05 11:52:01.858000+00',
    });
    const canceled = { object: 'email', id: never };
    expect(await ok(resend.emails.cancel(never))).toEqual(canceled);
    expect(await ok(resend.emails.cancel(never))).toEqual(canceled);
    expect(await ok(resend.emails.get(never))).toMatchObject({ last_event: 'canceled' });
    expect(await resend.emails.update(later)).toMatchObject({
      data: null,
      error: { name: 'validation_error', statusCode: 422, message: expect.stringContaining('canceled') },
    });

    const now = new Date().toISOString();
    expect(await ok(resend.emails.update({ id: early, scheduledAt: now }))).toEqual({ object: 'email', id: early });
    await delivered(early);
    await eventually(async () => expect(await ok(resend.emails.get(early))).toMatchObject({ last_event: 'sent' }));
    expect(await resend.emails.cancel(early)).toMatchObject({
      data: null,
      error: { name: 'validation_error', statusCode: 422, message: expect.stringContaining('sent') },
    });
    expect(sink.offered.some(({ raw }) => raw.includes('Subject: Never'))).toBe(false);
  });

  it('sends a batch, all or nothing', async () => {
    const batch = [
      simple({ subject: 'First of a batch', to: ['one@to.test', 'two@to.test'] }),
      simple({ subject: 'Second of a batch', html: '<p>2</p>', replyTo: 'f@reply.test' }),
      simple({ subject: 'Third of a batch', scheduledAt: '2099-08-05T11:52:01Z', tags: [{ name: 'n', value: '3' }] }),
    ];
    const { data } = await ok(resend.batch.send(batch, { idempotencyKey: 'batch-1' }));
    expect(data).toEqual([{ id: ID }, { id: ID }, { id: ID }]);
    expect(await ok(resend.batch.send(batch, { idempotencyKey: 'batch-1' }))).toEqual({ data });
    const [first, second, third] = data.map(({ id }) => id);
    expect((await delivered(first ?? '')).envelope.to).toEqual(['one@to.test', 'two@to.test']);
    expect(await parseMime((await delivered(second ?? '')).raw)).toMatchObject({
      subject: 'Second of a batch',
      replyTo: [{ address: 'f@reply.test' }],
    });
    expect(await ok(resend.emails.get(third ?? ''))).toMatchObject({
      subject: 'Third of a batch',
      last_event: 'scheduled',
      tags: [{ name: 'n', value: '3' }],
    });

    const before = await footprint(host);
    const refused = await resend.batch.send([...batch, simple({ to: 'nobody' })]);
    expect(refused).toMatchObject({
      data: null,
      error: { name: 'validation_error', statusCode: 422, message: expect.stringContaining('[3].to') },
    });
    expect(await resend.batch.send(batch.slice(1), { idempotencyKey: 'batch-1' })).toMatchObject({
      data: null,
      error: { name: 'invalid_idempotent_request', statusCode: 409 },
    });
    expect(await footprint(host)).toEqual(before);
  });

  it('sends the valid items of a batch, and gets errors for the rest', async () => {
    const batch = [simple({ to: 'nobody' }), simple({ subject: 'Right' }), simple({ subject: '' })];
    const options = { idempotencyKey: 'batch-2', batchValidation: 'permissive' } as const;
    const answer = await ok(resend.batch.send(batch, options));
    expect(answer).toEqual({
      data: [{ id: ID }],
      errors: [
        { index: 0, message: expect.stringContaining('`to') },
        { index: 2, message: expect.stringContaining('`subject`') },
      ],
    });
    expect(await ok(resend.batch.send(batch, options))).toEqual(answer);
    expect(await parseMime((await delivered(answer.data[0]?.id ?? '')).raw)).toMatchObject({ subject: 'Right' });
    expect(await ok(resend.batch.send([simple()], { batchValidation: 'permissive' }))).toEqual({
      data: [{ id: ID }],
      errors: [],
    });
  });

  it('lists the attachments of a sent email, and downloads them', async () => {
    const image = randomFile(3_000);
    const id = await send(
      simple({
        html: '<img src="cid:logo">',
        attachments: [
          { filename: 'logo.png', content: image, contentId: 'logo' },
          { filename: 'all bytes.bin', content: everyByte() },
        ],
      }),
    );
    const { data: listed, has_more } = await ok(resend.emails.attachments.list({ emailId: id }));
    expect(has_more).toBe(false);
    expect(listed).toEqual([
      {
        id: ID,
        filename: 'logo.png',
        size: 3_000,
        content_type: 'image/png',
        content_disposition: 'inline',
        content_id: 'logo',
        download_url: expect.stringContaining(`${host.url}/files/`),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      expect.objectContaining({ filename: 'all bytes.bin', content_disposition: 'attachment', content_id: null }),
    ]);
    const [first, second] = listed.map((attachment) => attachment.id);
    const page = await ok(resend.emails.attachments.list({ emailId: id, limit: 1, after: first ?? '' }));
    expect(page).toMatchObject({ has_more: false, data: [{ id: second }] });

    const contents = await Promise.all(
      [first, second].map(async (attachment) => {
        const one = await ok(resend.emails.attachments.get({ emailId: id, id: attachment ?? '' }));
        expect(one).toMatchObject({ object: 'attachment', id: attachment });
        const file = await fetch(one.download_url);
        expect([file.status, file.headers.get('content-disposition')]).toEqual([
          200,
          expect.stringMatching(/^attachment/),
        ]);
        return Buffer.from(await file.arrayBuffer());
      }),
    );
    expect(contents).toEqual([image, everyByte()]);
    expect(await resend.emails.attachments.get({ emailId: id, id: randomUUID() })).toMatchObject({
      data: null,
      error: { name: 'not_found', statusCode: 404, message: 'Attachment not found' },
    });
  });

  it('shares an email by a link', async () => {
    const id = await send(simple({ html: '<p>For holders of the link</p>' }));
    const shared = await ok(resend.emails.share(id, { expiresIn: '10m' }));
    expect(shared).toEqual({ object: 'email', id, url: expect.stringContaining(`${host.url}/`) });
    const page = await fetch(shared.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const [, content = ''] = /<iframe [^>]*sandbox="[^"]*" src="([^"]+)"/.exec(await page.text()) ?? [];
    expect(await (await fetch(new URL(content, shared.url))).text()).toContain('For holders of the link');
  });

  it('counts the outcomes of emails', async () => {
    const { token } = await host.account('numbers');
    const own = new Resend(token, { baseUrl: host.url });
    const { id } = await ok(own.emails.send(simple({ to: ['b@to.test', 'c@to.test'] })));
    await delivered(id);
    await eventually(async () => {
      const metrics = await ok(own.emails.metrics({ metrics: ['sent', 'bounce_rate'], dimensions: ['domain'] }));
      expect(metrics).toMatchObject({
        object: 'metrics',
        metrics: ['sent', 'bounce_rate'],
        dimensions: ['domain'],
        totals: { sent: 2, bounce_rate: 0 },
        data: [{ domain_name: 'from.test', sent: 2, bounce_rate: 0 }],
      });
    });
    const byEmail = await ok(own.emails.metrics({ emailId: [id], dimensions: ['email'], metrics: ['sent'] }));
    expect(byEmail.data).toEqual([{ email_id: id, sent: 2 }]);
  });
});
