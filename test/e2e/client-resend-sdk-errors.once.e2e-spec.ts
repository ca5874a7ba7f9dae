import { randomUUID } from 'node:crypto';
import { type CreateEmailOptions, Resend } from 'resend';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { footprint } from '../support/reading/footprint.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import type { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Every error name that the official client can cause reaches its caller as `{ data: null, error }`. */
describe('the official client gets the error:', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let resend: Resend;
  let restricted: Resend;

  beforeAll(async () => {
    ({ host, sink } = await shareHost());
    resend = new Resend(host.token, { baseUrl: host.url });
    const { data } = await resend.apiKeys.create({ name: 'sender', permission: 'sending_access' });
    restricted = new Resend(data?.token ?? '', { baseUrl: host.url });
  });

  const email = (more: object = {}) =>
    ({ from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hi', ...more }) as CreateEmailOptions;
  const attached = (attachment: object) => email({ attachments: [attachment] });
  const page = (options: object) => resend.emails.list(options as { limit: number });

  it.each<[string, number, RegExp, () => Promise<unknown>]>([
    ['missing_api_key', 401, /API key/, () => resend.emails.send(email(), { headers: { authorization: '' } })],
    ['invalid_api_key', 401, /API key/, () => new Resend('re_123', { baseUrl: host.url }).emails.send(email())],
    ['restricted_api_key', 401, /only send/, () => restricted.emails.list()],
    ['restricted_api_key', 401, /only send/, () => restricted.apiKeys.list()],
    ['missing_required_field', 422, /`to`/, () => resend.emails.send(email({ to: undefined }))],
    ['missing_required_field', 422, /`to`/, () => resend.emails.send(email({ to: [] }))],
    ['missing_required_field', 422, /`from`/, () => resend.emails.send(email({ from: '' }))],
    ['missing_required_field', 422, /`subject`/, () => resend.emails.send(email({ subject: undefined }))],
    ['validation_error', 422, /`from`/, () => resend.emails.send(email({ from: 'nobody' }))],
    [
      'validation_error',
      422,
      /`to\[1\]`/,
      () => resend.emails.send(email({ to: ['b@to.test', 'b@to.test, c@to.test'] })),
    ],
    ['validation_error', 422, /`to`.*50/, () => resend.emails.send(email({ to: Array(51).fill('b@to.test') }))],
    ['validation_error', 422, /`headers/, () => resend.emails.send(email({ headers: { Bcc: 'c@to.test' } }))],
    ['validation_error', 422, /`scheduled_at`/, () => resend.emails.send(email({ scheduledAt: 'today' }))],
    ['validation_error', 422, /`tags\[0\]/, () => resend.emails.send(email({ tags: [{ name: 'a b', value: 'c' }] }))],
    ['validation_error', 422, /`topic_id`/, () => resend.emails.send(email({ topicId: randomUUID() }))],
    [
      'validation_error',
      422,
      /`template/,
      () => resend.emails.send(email({ template: { id: 'none' }, text: undefined })),
    ],
    [
      'validation_error',
      422,
      /content_id/,
      () => resend.emails.send(attached({ filename: 'a', content: 'YQ==', contentId: 'ä' })),
    ],
    ['invalid_attachment', 422, /content.*path/, () => resend.emails.send(attached({ filename: 'a' }))],
    [
      'invalid_attachment',
      422,
      /content.*path/,
      () => resend.emails.send(attached({ filename: 'a', content: Buffer.alloc(0) })),
    ],
    ['invalid_attachment', 422, /`path`/, () => resend.emails.send(attached({ path: `${host.url}/health/live` }))],
    ['invalid_idempotency_key', 400, /256/, () => resend.emails.send(email(), { idempotencyKey: 'k'.repeat(257) })],
    ['validation_error', 400, /JSON/, () => resend.post('/emails', 7)],
    ['validation_error', 400, /object/, () => resend.post('/emails', [email()])],
    ['validation_error', 413, /larger/, () => resend.emails.send(email({ html: 'x'.repeat(60_000_000) }))],
    ['validation_error', 415, /application\/json/, () => resend.post('/emails', new FormData())],
    ['validation_error', 422, /`replyTo`.*`reply_to`/, () => resend.post('/emails', email({ replyTo: 'c@d.test' }))],
    ['not_found', 404, /^Email not found$/, () => resend.emails.get(randomUUID())],
    ['invalid_parameter', 422, /`id` must be a valid UUID/, () => resend.emails.get('x')],
    ['not_found', 404, /^Email not found$/, () => resend.emails.cancel(randomUUID())],
    ['not_found', 404, /^Email not found$/, () => resend.emails.update({ id: randomUUID(), scheduledAt: 'in 1 hour' })],
    ['missing_required_field', 422, /`scheduled_at`/, () => resend.patch(`/emails/${randomUUID()}`, {})],
    ['not_found', 404, /^Email not found$/, () => resend.emails.share(randomUUID())],
    ['not_found', 404, /^Email not found$/, () => resend.emails.attachments.list({ emailId: randomUUID() })],
    ['validation_error', 422, /1 to 100/, () => resend.batch.send([])],
    ['validation_error', 422, /100/, () => resend.batch.send(Array(101).fill(email()))],
    ['validation_error', 400, /array/, () => resend.post('/emails/batch', email())],
    [
      'missing_required_field',
      422,
      /\[1\]\.subject/,
      () => resend.batch.send([email(), email({ subject: undefined })]),
    ],
    [
      'validation_error',
      422,
      /strict.*permissive/,
      () => resend.batch.send([email()], { headers: { 'x-batch-validation': 'lax' } }),
    ],
    ['restricted_api_key', 401, /only send/, () => restricted.emails.get(randomUUID())],
    ['restricted_api_key', 401, /only send/, () => restricted.emails.cancel(randomUUID())],
    ['validation_error', 422, /`granularity`/, () => resend.emails.metrics({ granularity: 'yearly' as 'daily' })],
    ['validation_error', 422, /`last_event`/, () => resend.get('/emails?last_event=lost')],
    ['not_found', 404, /Domain not found/, () => resend.domains.get(randomUUID())],
    ['not_found', 404, /nothing at this path/, () => resend.get('/elsewhere')],
    ['invalid_parameter', 422, /`id` must be a valid UUID/, () => resend.topics.get('news')],
    ['not_found', 404, /API key/, () => resend.apiKeys.remove(randomUUID())],
    ['method_not_allowed', 405, /GET, POST/, () => resend.put('/emails', email())],
    ['not_found', 404, /API key/, () => resend.apiKeys.update(randomUUID(), { name: 'x' })],
    ['validation_error', 422, /`limit`/, () => page({ limit: 0 })],
    ['validation_error', 422, /`limit`/, () => page({ limit: 101 })],
    ['validation_error', 422, /`limit`/, () => page({ limit: 1.5 })],
    ['validation_error', 422, /`after`/, () => page({ after: 'x' })],
    ['validation_error', 422, /`before`/, () => page({ before: randomUUID() })],
    ['validation_error', 422, /`after`.*`before`/, () => page({ after: randomUUID(), before: randomUUID() })],
  ])('%s (%d) %s', async (name, statusCode, message, call) => {
    const before = await footprint(host);
    expect(await call()).toEqual({
      data: null,
      error: { name, statusCode, message: expect.stringMatching(message) },
      headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
    });
    expect(await footprint(host)).toEqual(before);
  });

  it('nothing was sent by these requests, and a restricted key still sends', async () => {
    expect(await restricted.emails.send(email())).toMatchObject({ error: null });
    expect(await restricted.batch.send([email()])).toMatchObject({ error: null });
    await sink.waitFor(2);
    expect(sink.offered).toHaveLength(2);
  });

  it('rate_limit_exceeded (429), with the time to retry', async () => {
    const limited = await startHost({ env: { RATE_LIMIT: '2' } });
    const client = new Resend(limited.token, { baseUrl: limited.url });
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.emails.list()));
    const refused = answers.find(({ error }) => error);
    expect(refused).toMatchObject({
      data: null,
      error: { name: 'rate_limit_exceeded', statusCode: 429 },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/), 'ratelimit-limit': expect.any(String) },
    });
  });

  it('application_error (503) while the database is away, with nothing stored', async () => {
    const proxy = await startPostgresProxy();
    const cut = await startHost({ smtp: sink, postgresProxy: proxy });
    const client = new Resend(cut.token, { baseUrl: cut.url });
    const before = await footprint(cut);
    await proxy.refuse();
    expect(await client.emails.send(email())).toMatchObject({
      data: null,
      error: { name: 'application_error', statusCode: 503 },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect(await footprint(cut)).toEqual(before);
    await proxy.restore();
  });

  it('application_error without a status, by the client itself, without an answer', async () => {
    const { error } = await new Resend('re_x', { baseUrl: 'http://127.0.0.1:1' }).emails.send(email());
    expect(error).toMatchObject({ name: 'application_error', statusCode: null });
  });
});
