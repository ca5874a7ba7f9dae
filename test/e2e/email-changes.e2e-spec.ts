import { Redis } from 'ioredis';
import type { EmailDetailsDto } from 'nestjs-emails';
import { Random } from '../support/basics/random.js';
import { eventually, until } from '../support/basics/wait-for.js';
import { CANARY, ContractHost, invalid, missing } from '../support/hosts/contract-host.js';
import { eventsOf, eventTypes, untilSettled } from '../support/reading/deliveries.js';

/** Emails of the race. By hand: RACE=1000. */
const EMAILS = Number(process.env.RACE ?? 80);
const FAR = '2096-11-21T05:26:01Z';
const SOMEBODY = '0198f0c1-0000-7000-8000-000000000000';
const NOT_FOUND = { status: 404, name: 'not_found', message: /^Email not found$/ };
const NO_ID = { status: 422, name: 'invalid_parameter', message: /^The `id` must be a valid UUID\.$/ };

let api: ContractHost;

beforeAll(async () => {
  api = await ContractHost.start({ env: { RETRY_SCHEDULE: '1h,1h' } });
});

beforeEach(() => api.sink.reset());

const call = (method: string, path: string, body?: object) =>
  api.host.request<Record<string, unknown>>(method, `/emails/${path}`, body ? { body } : {});
const cancel = (id: string) => call('POST', `${id}/cancel`);
const retry = (id: string) => call('POST', `${id}/retry`);
const reschedule = (id: string, scheduled_at: string) => call('PATCH', id, { scheduled_at });
const record = async (id: string) => (await call('GET', id)).body as unknown as EmailDetailsDto;
const changed = (id: string) => ({ status: 200, body: { object: 'email', id } });
const refused = (message: RegExp) => ({
  status: 422,
  body: { name: 'validation_error', message: expect.stringMatching(message) },
});
const scheduled = (fields: object = {}) => api.accept({ scheduled_at: FAR, ...fields });
const offered = (id: string) => api.sink.offered.filter(({ raw }) => raw.includes(`<${id}@`));

/** An email to these recipients that the next hop has deferred. */
async function delayed(to: string[] = ['later@to.test']): Promise<string> {
  api.sink.onRcpt = (address) => (address.startsWith('later') ? '451 4.3.0 Later' : undefined);
  const id = await api.accept({ to });
  await untilLastEvent(id, 'delivery_delayed');
  delete api.sink.onRcpt;
  return id;
}

const untilLastEvent = (id: string, state: string) =>
  until(async () => (await record(id)).last_event === state, { what: `${id} to be ${state}` });

/** Contract, section 3.2. */
describe('GET /emails/:id', () => {
  it('shows all of it, tags and topic included', async () => {
    const fields = {
      cc: ['c@to.test'],
      bcc: 'b@to.test',
      reply_to: 'r@to.test',
      tags: [{ name: 'plan', value: 'pro' }],
    };
    const id = await scheduled({ ...fields, html: '<p>Hi</p>' });
    const { status, body } = await call('GET', id.toUpperCase());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'email',
        id,
        message_id: `<${id}@from.test>`,
        to: ['to@to.test'],
        from: 'Sender <sender@from.test>',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
        subject: 'Hello',
        html: '<p>Hi</p>',
        text: CANARY,
        bcc: ['b@to.test'],
        cc: ['c@to.test'],
        reply_to: ['r@to.test'],
        last_event: 'scheduled',
        scheduled_at: '2096-11-21 05:26:01.000000+00',
        tags: [{ name: 'plan', value: 'pro' }],
        topic_id: null,
        priority: 'now',
      },
    });
    expect(await record(await scheduled({ text: 'only' }))).toMatchObject({
      html: null,
      cc: [],
      bcc: [],
      reply_to: [],
      tags: [],
    });
  });

  it('shows megabytes, and null for cleared content', async () => {
    const html = 'é'.repeat(1_500_000);
    const id = await scheduled({ html });
    expect((await record(id)).html).toBe(html);
    await api.host.query('UPDATE nestjs_emails.emails SET html = NULL, text = NULL WHERE id = $1', [id]);
    expect(await record(id)).toMatchObject({ html: null, text: null });
    expect(await cancel(id)).toMatchObject(changed(id));
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ])('is like %s …%s for an unknown email, and for an invalid id', async (method, path) => {
    const options = method === 'PATCH' ? { body: { scheduled_at: FAR } } : {};
    await api.refuseRequest(method, `/emails/${SOMEBODY}${path}`, options, NOT_FOUND);
    for (const id of ['1', "'%20OR%201=1--", `${SOMEBODY}0`])
      await api.refuseRequest(method, `/emails/${id}${path}`, options, NO_ID);
  });
});

/** A2. */
describe('PATCH /emails/:id', () => {
  it('moves a scheduled email to another time, far, near or past, and records it', async () => {
    const id = await scheduled();
    expect(await reschedule(id, '2095-01-01 00:00:00 +0000')).toMatchObject(changed(id));
    expect(await record(id)).toMatchObject({ last_event: 'scheduled', scheduled_at: '2095-01-01 00:00:00.000000+00' });
    expect(await reschedule(id, '9999-12-31T23:59:59Z')).toMatchObject(changed(id));
    const soon = new Date(Date.now() + api.host.seconds(0.7)).toISOString();
    expect(await reschedule(id, soon)).toMatchObject(changed(id));
    const { receivedAt } = await api.sink.waitFor(() => offered(id).length > 0);
    expect(receivedAt.getTime()).toBeGreaterThanOrEqual(Date.parse(soon));
    await untilLastEvent(id, 'sent');
    expect(await eventTypes(api.host, id)).toEqual([
      'scheduled',
      'scheduled',
      'scheduled',
      'scheduled',
      'queued',
      'sent',
    ]);
    expect(await reschedule(id, FAR)).toMatchObject(
      refused(/^Only a scheduled email can be rescheduled; this one is `sent`\.$/),
    );
    expect(offered(id)).toHaveLength(1);
  });

  it('sends at once for a time that is past, and dates it so', async () => {
    const id = await scheduled();
    await api.host.query(`UPDATE nestjs_emails.emails SET created_at = now() - interval '9 days' WHERE id = $1`, [id]);
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    expect(await reschedule(id, '1970-01-01T00:00:00Z')).toMatchObject(changed(id));
    const { raw } = await api.sink.waitFor(({ raw }) => raw.includes(`<${id}@`));
    const [, date = ''] = /^Date: (.+)$/m.exec(raw.toString()) ?? [];
    expect(Date.parse(date)).toBeGreaterThanOrEqual(before);
  });

  it('understands English, and accepts the same time again silently', async () => {
    const id = await scheduled();
    const before = Date.now();
    expect(await reschedule(id, 'in 2 hours')).toMatchObject(changed(id));
    expect(Date.parse((await record(id)).scheduled_at ?? '')).toBeGreaterThanOrEqual(before + 7_200_000);
    expect(await reschedule(id, FAR)).toMatchObject(changed(id));
    expect(await reschedule(id, '2096-11-21T07:26:01+02:00')).toMatchObject(changed(id));
    expect(await eventTypes(api.host, id)).toEqual(['scheduled', 'scheduled', 'scheduled']);
  });

  it('accepts fields that repeat the path, and no others', async () => {
    const id = await scheduled();
    const path = `/emails/${id}`;
    for (const own of [{ id }, { email_id: id.toUpperCase() }, { id, email_id: null }])
      expect(await call('PATCH', id, { scheduled_at: FAR, ...own })).toMatchObject(changed(id));
    for (const field of ['id', 'email_id'])
      await api.refuseRequest(
        'PATCH',
        path,
        { body: { scheduled_at: FAR, [field]: SOMEBODY } },
        invalid(/^`(email_)?id` cannot be changed/),
      );
    for (const body of [{}, { id }, { scheduled_at: null }, { scheduled_at: '' }])
      await api.refuseRequest('PATCH', path, { body }, missing('scheduled_at'));
    for (const at of ['soon', '2096-02-30T00:00:00Z', 5])
      await api.refuseRequest(
        'PATCH',
        path,
        { body: { scheduled_at: at } },
        invalid(/^`scheduled_at` must be an ISO 8601/),
      );
    await api.refuseRequest(
      'PATCH',
      path,
      { body: { scheduled_at: FAR, subject: 'x' } },
      invalid(/^`subject` is not a field/),
    );
    expect(await eventTypes(api.host, id)).toEqual(['scheduled']);
  });

  it('leaves one wake-up in the queue after repeated requests, and none for canceled emails', async () => {
    const id = await scheduled();
    for (let year = 2060; year < 2080; year++) await reschedule(id, `${year}-01-01T00:00:00Z`);
    await eventually(async () => expect(await jobsOf(id)).toBe(1));
    await cancel(id);
    await eventually(async () => expect(await jobsOf(id)).toBe(0));
  });
});

/** A3. */
describe('POST /emails/:id/cancel', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['a JSON content type alone', { headers: { 'content-type': 'application/json' } }],
    ['an empty object', { body: {} }],
    ['a body that is not JSON', { body: '{"a', headers: { 'content-type': 'application/json' } }],
  ])('accepts %s as a body, cancels, and does so again', async (_, options) => {
    const id = await scheduled({ to: ['a@to.test', 'b@to.test'] });
    for (let times = 0; times < 2; times++)
      expect(await api.host.request('POST', `/emails/${id}/cancel`, options)).toMatchObject(changed(id));
    expect(await record(id)).toMatchObject({ last_event: 'canceled' });
    expect((await api.record(id)).last_event).toBe('canceled');
    expect(await eventTypes(api.host, id)).toEqual(['scheduled', 'canceled']);
    const [delivery] = await api.host.query(
      'SELECT due_at, recipients FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    );
    expect(delivery).toEqual({
      due_at: null,
      recipients: ['a', 'b'].map((name) => ({ address: `${name}@to.test`, status: 'canceled' })),
    });
    expect(await reschedule(id, FAR)).toMatchObject(refused(/this one is `canceled`\.$/));
    expect(await retry(id)).toMatchObject(refused(/this one is `canceled`\.$/));
  });

  it('happens once for concurrent requests, and alongside changes of the time', async () => {
    const id = await scheduled();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => cancel(id)),
      ...Array.from({ length: 20 }, (_, year) => reschedule(id, `${2060 + year}-01-01T00:00:00Z`)),
    ]);
    expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.slice(20).filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    const types = await eventTypes(api.host, id);
    expect(types.filter((type) => type === 'canceled')).toHaveLength(1);
    expect(types.at(-1)).toBe('canceled');
    expect(await record(id)).toMatchObject({ last_event: 'canceled' });
  });

  it('comes too late for a sent email', async () => {
    const { id } = await api.deliver();
    await untilLastEvent(id, 'sent');
    expect(await cancel(id)).toMatchObject(
      refused(/^Only a scheduled email, or a delayed one, can be canceled; this one is `sent`\.$/),
    );
  });

  it('ends a delayed email without any sent copy', async () => {
    const id = await delayed(['later@to.test', 'later2@to.test']);
    expect(await cancel(id)).toMatchObject(changed(id));
    expect(await record(id)).toMatchObject({ last_event: 'canceled' });
    expect((await eventsOf(api.host, id)).at(-1)).toEqual({ type: 'canceled', recipient: null, reason: null });
    await untilSettled(api.host, [id]);
    expect(await retry(id)).toMatchObject(refused(/this one is `canceled`\.$/));
  });

  it('does not end one that was, or may have been, sent to some recipients', async () => {
    const id = await delayed(['a@to.test', 'later@to.test']);
    expect(await cancel(id)).toMatchObject(refused(/was sent to some of its recipients/));
    api.sink.onMessage = () => 'drop';
    const lost = await api.accept();
    await untilLastEvent(lost, 'delivery_delayed');
    expect(await cancel(lost)).toMatchObject(refused(/may have been sent/));
    expect(await record(lost)).toMatchObject({ last_event: 'delivery_delayed' });
  });
});

/** A8. */
describe('POST /emails/:id/retry', () => {
  it('makes the next attempt of a delayed email now, with the same Message-ID', async () => {
    const id = await delayed();
    let go = (_?: string) => {};
    api.sink.onMessage = () => new Promise((resolve) => (go = resolve as typeof go));
    expect(await retry(id)).toMatchObject(changed(id));
    await until(() => offered(id).length > 0, { what: 'the attempt' });
    // While it runs, nothing can be changed.
    expect(await retry(id)).toMatchObject(refused(/^An attempt to send this email is under way\.$/));
    expect(await cancel(id)).toMatchObject(refused(/^An attempt to send this email is under way\./));
    go();
    await untilLastEvent(id, 'sent');
    expect(await eventTypes(api.host, id)).toEqual(['queued', 'delivery_delayed', 'sent']);
    expect(await retry(id)).toMatchObject(refused(/^Only a delayed email can be tried again; this one is `sent`\.$/));
    expect(await retry(await scheduled())).toMatchObject(refused(/this one is `scheduled`\.$/));
  });
});

it('a cancel and a worker: one of them wins', async () => {
  const random = new Random(20_961_121);
  const due = Date.now() + api.host.seconds(1 + EMAILS / 200);
  const ids: string[] = [];
  while (ids.length < EMAILS) {
    const group = Array.from({ length: 40 }, (_, at) => new Date(due + 4 * (ids.length + at)).toISOString());
    ids.push(...(await Promise.all(group.map((scheduled_at) => api.accept({ scheduled_at })))));
  }
  // The last one is not due before the cancels are through.
  ids.push(await scheduled());
  await api.sink.waitFor(1);
  const order = ids.map((id) => ({ id, place: random.next() })).sort((a, b) => a.place - b.place);
  const answers = await Promise.all(order.map(async ({ id }) => ({ id, status: (await cancel(id)).status })));
  // The answer has arrived: any later offer of these was sent after its cancel.
  const canceled = new Set(answers.filter(({ status }) => status === 200).map(({ id }) => id));
  await untilSettled(api.host, ids);
  await api.expectNothingElseSent();
  expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
  expect(canceled.has(ids.at(-1) ?? '')).toBe(true);
  expect(canceled.size).toBeLessThan(ids.length);
  const found = await api.host.query<{ email_id: string; last_event: string }>(
    'SELECT email_id, last_event FROM nestjs_emails.deliveries WHERE email_id = ANY($1)',
    [ids],
  );
  const copies = (id: string) => offered(id).length;
  for (const { email_id: id, last_event } of found) {
    expect({ id, last_event, copies: copies(id) }).toEqual(
      canceled.has(id) ? { id, last_event: 'canceled', copies: 0 } : { id, last_event: 'sent', copies: 1 },
    );
  }
  if (process.env.RACE) process.stdout.write(`${canceled.size} of ${ids.length} were canceled.\n`);
});

/** Jobs in the queue that name an email. */
async function jobsOf(id: string): Promise<number> {
  if (api.host.redisUrl === undefined) {
    const rows = await api.host.query('SELECT 1 FROM bullmq.job j WHERE row_to_json(j)::text LIKE $1', [`%${id}%`]);
    return rows.length;
  }
  const redis = new Redis(api.host.redisUrl);
  try {
    return (await redis.keys(`*:${id}-*`)).length;
  } finally {
    redis.disconnect();
  }
}
