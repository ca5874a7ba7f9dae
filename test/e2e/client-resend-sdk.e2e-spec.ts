import { type CreateEmailOptions, Resend } from 'resend';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { everyByte, filesIn, randomFile } from '../support/reading/files.js';
import { headerLines, headerNames, parseMime } from '../support/reading/mime.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** The official Node client, unchanged but for its base address: sending, listing, idempotency. */
describe('the official client', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let resend: Resend;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink });
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

  it('sends with options that are there and empty', async () => {
    const id = await send(
      simple({ cc: [], bcc: '', replyTo: [], headers: {}, tags: [], attachments: [], topicId: null, scheduledAt: '' }),
    );
    await delivered(id);
    expect(await record(id)).toMatchObject({ cc: [], bcc: [], reply_to: [], scheduled_at: null });
  });

  it('sends once for one idempotency key, however often it asks', async () => {
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
});
