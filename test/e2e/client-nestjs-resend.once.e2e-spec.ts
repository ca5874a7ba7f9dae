import { fileURLToPath } from 'node:url';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { everyByte, filesIn } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { parseMime } from '../support/reading/mime.js';
import { runClient } from '../support/requests/client-process.js';
import type { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const CLIENT = fileURLToPath(new URL('../hosts/nestjs-resend-client.mjs', import.meta.url));

interface Call {
  /** An array is sent as a batch. */
  payload: object | object[];
  options?: object;
}

interface ClientAnswer {
  data: { id: string; data?: { id: string }[] } | null;
  error: { name: string; message: string; statusCode?: number } | null;
}

/** `nestjs-resend` in a separate application, with its `resend` 4.x, unchanged except for the address. */
describe('nestjs-resend', () => {
  let sink: SmtpSink;
  let host: RunningHost;

  beforeAll(async () => {
    ({ host, sink } = await shareHost());
  });

  async function client(calls: Call[], env = {}): Promise<ClientAnswer[]> {
    const { code, stdout, output } = await runClient(CLIENT, [], {
      RESEND_API_KEY: host.token,
      RESEND_BASE_URL: host.url,
      CALLS: JSON.stringify(calls),
      ...env,
    });
    expect({ code, output }).toEqual({ code: 0, output: stdout });
    return JSON.parse(stdout);
  }

  const send = (payload: object, options: object = {}): Call => ({
    payload: { from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hi', ...payload },
    options,
  });

  it('sends with every option, and once for one idempotency key', async () => {
    const due = new Date(Date.now() + host.seconds(3)).toISOString();
    const call = send(
      {
        from: 'Jörg <jorg@from.test>',
        to: ['b@to.test', 'c@to.test'],
        cc: 'd@cc.test',
        bcc: ['e@bcc.test'],
        replyTo: 'f@reply.test',
        subject: 'Grüße',
        html: '<p>Hallo</p>',
        text: 'Hallo',
        headers: { 'X-Entity-Ref-ID': '123' },
        tags: [{ name: 'category', value: 'nest' }],
        attachments: [
          // It has the earlier name of `content_id`.
          { filename: 'logo.png', content: 'YWJj', inlineContentId: 'logo' },
          { filename: 'all.bin', base64: everyByte().toString('base64') },
          { filename: 'text.csv', content: 'YTti', contentType: 'text/csv' },
          { filename: 'empty.txt', base64: '' },
        ],
        scheduledAt: due,
      },
      { idempotencyKey: 'nest-1' },
    );
    const [first, second] = await client([call, call]);
    expect(first).toEqual({ data: { id: expect.any(String) }, error: null });
    expect(second).toEqual(first);

    const message = await sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${first?.data?.id}@`));
    expect(message.receivedAt.getTime()).toBeGreaterThanOrEqual(Date.parse(due));
    expect(message.envelope.to).toEqual(['b@to.test', 'c@to.test', 'd@cc.test', 'e@bcc.test']);
    expect(await parseMime(message.raw)).toMatchObject({
      from: { name: 'Jörg', address: 'jorg@from.test' },
      replyTo: [{ address: 'f@reply.test' }],
      subject: 'Grüße',
      html: expect.stringContaining('<p>Hallo</p>'),
    });
    const files = await filesIn(message);
    expect(files[0]).toMatchObject({ disposition: 'inline', contentId: '<logo>' });
    expect(files.map(({ filename, content }) => [filename, content])).toEqual([
      ['logo.png', Buffer.from('abc')],
      ['all.bin', everyByte()],
      ['text.csv', Buffer.from('a;b')],
      ['empty.txt', Buffer.alloc(0)],
    ]);
    expect(sink.offered).toHaveLength(1);
  });

  it('sends a batch, all or nothing', async () => {
    const email = { from: 'a@from.test', to: 'b@to.test', subject: 'Of a batch', text: 'Hi' };
    const before = await footprint(host);
    expect(await client([{ payload: [email, { ...email, to: 'nobody' }] }])).toMatchObject([
      { data: null, error: { name: 'validation_error', message: expect.stringContaining('[1].to') } },
    ]);
    expect(await footprint(host)).toEqual(before);
    const [answer] = await client([{ payload: [email, email] }]);
    expect(answer).toEqual({ data: { data: [{ id: expect.any(String) }, { id: expect.any(String) }] }, error: null });
    for (const { id } of answer?.data?.data ?? []) {
      await sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));
    }
  });

  it('gets the error', async () => {
    const before = await footprint(host);
    const answers = await client([
      send({ to: [] }),
      send({ from: 'nobody' }),
      send({ attachments: [{ filename: 'a.txt' }] }),
      send({ attachments: [{ path: 'http://127.0.0.1/x' }] }),
      send({}, { idempotencyKey: 'k'.repeat(257) }),
    ]);
    expect(answers.map(({ error }) => error?.name)).toEqual([
      'missing_required_field',
      'validation_error',
      'invalid_attachment',
      'invalid_attachment',
      'invalid_idempotency_key',
    ]);
    expect(answers.every(({ data }) => data === null)).toBe(true);
    expect(await client([send({})], { RESEND_API_KEY: 're_123' })).toMatchObject([
      { error: { name: 'invalid_api_key' } },
    ]);
    expect(await footprint(host)).toEqual(before);
  });
});
