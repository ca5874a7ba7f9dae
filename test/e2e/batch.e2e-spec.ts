import { eventually } from '../support/basics/wait-for.js';
import { CANARY, ContractHost, invalid, letter, missing, type Refusal, UUID } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { filesIn, printOf, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { httpRequest, type RequestOptions } from '../support/requests/http-request.js';
import { expectRefusal } from '../support/rules/refusals.js';

interface BatchDto {
  data: { id: string }[];
  errors?: { index: number; message: string }[];
}

const CONFLICT: Refusal = { status: 409, name: 'invalid_idempotent_request', message: /Idempotency-Key/ };
const NO_ARRAY: Refusal = { status: 400, name: 'validation_error', message: /array of 1 to 100 emails/ };
const MODE = { strict: {}, permissive: { 'x-batch-validation': 'permissive' } };
const WRONG = { to: 'nobody' };

let api: ContractHost;
let keys = 0;

beforeAll(async () => {
  api = await ContractHost.start();
});

const freshKey = () => `batch-${keys++}`;
const letters = (count: number, subject = 'Batch') =>
  Array.from({ length: count }, (_, at) => letter({ subject: `${subject} ${at}` }));

function send(body: unknown, mode: keyof typeof MODE = 'strict', { headers, ...rest }: RequestOptions = {}) {
  const options = { body, headers: { ...MODE[mode], ...headers }, ...rest };
  return api.host.request<BatchDto>('POST', '/emails/batch', options);
}

async function accept(...args: Parameters<typeof send>): Promise<BatchDto> {
  const { status, body } = await send(...args);
  expect({ status, body }).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
  return body;
}

const refuse = (body: unknown, refusal: Refusal, headers: object = {}) =>
  api.refuseRequest('POST', '/emails/batch', { body, headers: { ...headers } }, refusal);

const countOf = async (subject: string): Promise<number> => {
  const rows = await api.host.query('SELECT id FROM nestjs_emails.emails WHERE subject LIKE $1', [`${subject}%`]);
  return rows.length;
};

/** Contract, section 2.5. */
describe('POST /emails/batch, strict', () => {
  it('accepts 100 emails, answers in the order of the request without `errors`, and delivers all', async () => {
    const body = await accept(letters(100, 'Hundred'));
    expect(Object.keys(body)).toEqual(['data']);
    expect(new Set(body.data.map(({ id }) => id)).size).toBe(100);
    const rows = await api.host.query<{ id: string; subject: string }>(
      `SELECT id, subject FROM nestjs_emails.emails WHERE subject LIKE 'Hundred %'`,
    );
    const subjects = new Map(rows.map(({ id, subject }) => [id, subject]));
    expect(body.data.map(({ id }) => subjects.get(id))).toEqual(letters(100, 'Hundred').map(({ subject }) => subject));
    const [commits] = await api.host.query<{ count: number }>(
      `SELECT count(DISTINCT xmin::text)::integer AS count FROM nestjs_emails.emails WHERE subject LIKE 'Hundred %'`,
    );
    expect(commits).toEqual({ count: 1 });
    await Promise.all(body.data.map(({ id }) => api.sink.waitFor(({ raw }) => raw.includes(`<${id}@`))));
  });

  it('accepts one email with all fields: a time, tags, a file', async () => {
    const file = randomFile(50_000);
    const { data } = await accept([
      letter({ scheduled_at: 'in 1 hour', tags: [{ name: 'n', value: 'v' }] }),
      letter({ attachments: [{ filename: 'a.bin', content: file.toString('base64') }] }),
      letter({ attachments: [{ filename: 'b.bin', content: [...file.subarray(0, 9_000)] }] }),
    ]);
    const [later, based, bytes] = data.map(({ id }) => id);
    expect(await api.record(later!)).toMatchObject({ last_event: 'scheduled' });
    for (const [id, content] of [[based, file] as const, [bytes, file.subarray(0, 9_000)] as const]) {
      const [received] = await filesIn(await api.sink.waitFor(({ raw }) => raw.includes(`<${id}@`)));
      expect(printOf(received!.content)).toEqual(printOf(content));
    }
  });

  it.each<[string, unknown, Refusal]>([
    ['an object', letter(), NO_ARRAY],
    ['nothing', '', NO_ARRAY],
    ['no email', [], invalid(/1 to 100 emails/)],
    ['101 emails', letters(101), invalid(/1 to 100 emails/)],
    ['null for an email', [letter(), null], invalid(/^`\[1\]`: .*object/)],
    ['an array for an email', [[letter()]], invalid(/^`\[0\]`: .*object/)],
    ['a text for an email', [letter(), letter(), 'x'], invalid(/^`\[2\]`: .*object/)],
    ['a wrong address', [letter(), letter(), letter(), letter(WRONG)], invalid(/^`\[3\]\.to(\[0\])?` must/)],
    ['two invalid emails', [letter(), letter({ subject: 7 }), letter(WRONG)], invalid(/^`\[1\]\.subject`/)],
    ['an email without recipients', [letter({ to: undefined })], missing('[0].to')],
    ['an unknown field', [letter({ subjet: 'x' })], invalid(/^`\[0\]\.subjet` is not a field.*`subject`/)],
    ['NUL', [letter(), letter({ text: 'a\0' })], invalid(/^`\[1\]\.text` contains NUL/)],
    ['half a pair', `[${JSON.stringify(letter()).replace('Hello', '\\ud800')}]`, invalid(/^`\[0\]\.subject` contains/)],
    ['an unknown topic', [letter({ topic_id: crypto.randomUUID() })], invalid(/^`\[0\]\.topic_id`/)],
    ['an unknown template', [letter({ text: undefined, template: { id: 'x' } })], invalid(/^`\[0\]\.template\.id`/)],
    ['an invalid time', [letter({ scheduled_at: 'soon or later' })], invalid(/^`\[0\]\.scheduled_at`/)],
    [
      'an invalid file',
      [letter({ attachments: [{ filename: 'a', content: '?' }] })],
      invalid(/\[0\]\.attachments\[0\]/),
    ],
    [
      'too many values',
      [letter({ tags: Array.from({ length: 50_000 }, () => 1) })],
      { status: 400, name: 'validation_error', message: /50000 values/ },
    ],
  ])('refuses %s, and writes nothing', async (_, body, refusal) => {
    await refuse(body, refusal);
    if (Array.isArray(body)) await refuse(body, refusal, { 'idempotency-key': freshKey() });
  });

  it('refuses an invalid one at each position', async () => {
    for (let at = 0; at < 10; at++) {
      const body = letters(10).map((email, place) => (place === at ? { ...email, ...WRONG } : email));
      await refuse(body, invalid(new RegExp(`^\`\\[${at}\\]\\.to`)));
    }
  });

  it.each(['Strict', 'lenient', ''])('refuses the mode %j', async (mode) => {
    await refuse([letter()], invalid(/x-batch-validation/), { 'x-batch-validation': mode });
  });

  it('takes 30,000 values', async () => {
    const recipients = (kind: string) => Array.from({ length: 50 }, (_, at) => `${kind}${at}@to.test`);
    const tags = Array.from({ length: 75 }, (_, at) => ({ name: `n${at}`, value: 'v' }));
    const email = { to: recipients('to'), cc: recipients('cc'), bcc: recipients('bcc'), tags };
    const body = Array.from({ length: 100 }, () => letter({ ...email, scheduled_at: '2096-01-01T00:00:00Z' }));
    expect((await accept(body)).data).toHaveLength(100);
  });
});

describe('POST /emails/batch, permissive', () => {
  it('accepts the others, in order, and reports the problem of each invalid one', async () => {
    const wrong = [null, [], 'x', letter(WRONG), letter({ text: 'a\0' }), letter({ topic_id: crypto.randomUUID() })];
    const before = await footprint(api.host);
    const { data, errors } = await accept([letter(), ...wrong, letter()], 'permissive');
    expect(data).toEqual([{ id: expect.stringMatching(UUID) }, { id: expect.stringMatching(UUID) }]);
    expect(errors!.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(errors![3]!.message).toMatch(/^`to/);
    expect(JSON.stringify(errors)).not.toContain(CANARY);
    expect((await footprint(api.host)).emails! - before.emails!).toBe(2);
    await Promise.all(data.map(({ id }) => api.sink.waitFor(({ raw }) => raw.includes(`<${id}@`))));
  });

  it('has empty `errors` without problems, and empty `data` if all are invalid', async () => {
    expect(await accept([letter()], 'permissive')).toEqual({ data: [{ id: expect.any(String) }], errors: [] });
    const before = await footprint(api.host);
    const { data, errors } = await accept([letter(WRONG), null], 'permissive');
    expect([data, errors!.map(({ index }) => index)]).toEqual([[], [0, 1]]);
    expect(await footprint(api.host)).toEqual(before);
  });
});

describe('message ids given in a batch', () => {
  const named = (id: string) => letter({ message_id: `<${id}@batch.test>` });

  it('are unique within it and in the account', async () => {
    await api.accept({ message_id: '<taken@batch.test>' });
    const made = await api.accept();
    const batch = [named('taken'), named('new'), named('new'), letter({ message_id: `<${made}@from.test>` })];
    const { data, errors } = await accept(batch, 'permissive');
    expect([data.length, errors!.map(({ index }) => index)]).toEqual([1, [0, 2, 3]]);
    await refuse([letter(), named('new')], invalid(/^`\[1\]\.message_id` must be unique/));
  });

  it('are assigned to one of many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accept([named('raced'), letter()], 'permissive')),
    );
    expect(answers.map(({ data }) => data.length).sort()).toEqual([...Array(19).fill(1), 2]);
    expect(answers.flatMap(({ errors }) => errors!.map(({ index }) => index))).toEqual(Array(19).fill(0));
  });
});

describe('the idempotency key of a batch', () => {
  const withKey = (key: string): RequestOptions => ({ headers: { 'idempotency-key': key } });

  const keptUnder = (key: string) =>
    api.host.query('SELECT key FROM nestjs_emails.idempotent_answers WHERE key = $1', [key]);
  const expire = (key: string) =>
    api.host.query(
      `UPDATE nestjs_emails.idempotent_answers SET expires_at = now() - interval '1 second' WHERE key = $1`,
      [key],
    );

  it.each<[string, keyof typeof MODE, unknown[]]>([
    ['strict', 'strict', letters(3)],
    ['permissive', 'permissive', [letter(), letter(WRONG), null]],
    ['permissive, and all are invalid', 'permissive', [letter(WRONG)]],
  ])('repeats the first answer: %s', async (_, mode, body) => {
    const key = freshKey();
    const first = await send(body, mode, withKey(key));
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const before = await footprint(api.host);
    const again = await send(body, mode, withKey(key));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect(await footprint(api.host)).toEqual(before);
  });

  it('belongs to one request: another email, another order or another mode is 409', async () => {
    const key = freshKey();
    const body = letters(2);
    await accept(body, 'strict', withKey(key));
    const others: [unknown[], keyof typeof MODE][] = [
      [body, 'permissive'],
      [body.toReversed(), 'strict'],
      [body.slice(1), 'strict'],
      [[body[0], letter({ text: 'Other' })], 'strict'],
    ];
    for (const [other, mode] of others) await refuse(other, CONFLICT, { ...MODE[mode], 'idempotency-key': key });
  });

  it('distinguishes refused emails too', async () => {
    const key = freshKey();
    await accept([letter(), letter({ to: 'one' })], 'permissive', withKey(key));
    await refuse([letter(), letter({ to: 'two' })], CONFLICT, { ...MODE.permissive, 'idempotency-key': key });
  });

  it('is separate from that of POST /emails', async () => {
    const key = freshKey();
    const { data } = await accept([letter()], 'strict', withKey(key));
    const single = await api.accept({}, withKey(key));
    expect(single).not.toBe(data[0]!.id);
    expect((await accept([letter()], 'strict', withKey(key))).data).toEqual(data);
  });

  it('is not used up by a refusal', async () => {
    const key = freshKey();
    expect((await send([letter(WRONG)], 'strict', withKey(key))).status).toBe(422);
    const { headers } = await send([letter()], 'strict', withKey(key));
    expect(headers).not.toHaveProperty('idempotent-replayed');
  });

  it.each(['', 'k'.repeat(257)])('is refused as %j', async (key) => {
    const refusal = { status: 400, name: 'invalid_idempotency_key', message: /1 and 256/ };
    await refuse([letter()], refusal, { 'idempotency-key': key });
  });

  it('is new again after it has expired', async () => {
    const old = freshKey();
    const first = await accept([letter()], 'strict', withKey(old));
    await expire(old);
    expect((await accept([letter({ text: 'New' })], 'strict', withKey(old))).data).not.toEqual(first.data);
  });

  it('makes 100 parallel calls one batch, at two processes', async () => {
    const second: RunningHost = await startHost({ smtp: api.sink, beside: api.host, role: 'api' });
    const key = freshKey();
    const body = letters(3, 'Parallel');
    const calls = Array.from({ length: 100 }, (_, at) =>
      httpRequest<BatchDto>(at % 2 ? second.url : api.host.url, 'POST', '/emails/batch', {
        token: api.host.token,
        body,
        ...withKey(key),
      }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(99);
    expect(await countOf('Parallel')).toBe(3);
    await second.stop();
  });

  it('survives a kill of the process, and is deleted after it has expired', async () => {
    const [key, old] = [freshKey(), freshKey()];
    await accept([letter()], 'strict', withKey(old));
    await expire(old);
    const body = letters(20, 'Killed');
    const calls = Array.from({ length: 10 }, () => send(body, 'strict', withKey(key)).catch(() => undefined));
    await Promise.race([...calls, eventually(async () => expect(await countOf('Killed')).toBe(20), { interval: 1 })]);
    await api.host.kill();
    const told = (await Promise.all(calls)).flatMap((answer) => (answer?.status === 200 ? [answer.text] : []));
    await api.host.restart();
    const { status, text } = await send(body, 'strict', withKey(key));
    expect(status).toBe(200);
    expect(new Set([...told, text]).size).toBe(1);
    expect(await countOf('Killed')).toBe(20);
    await eventually(async () => expect(await keptUnder(old)).toEqual([]));
    expect(await keptUnder(key)).toHaveLength(1);
  });
});

it('a batch is open to sending-only keys, and a resend is not', async () => {
  const { body } = await api.host.request<{ token: string }>('POST', '/api-keys', {
    body: { name: 'sender', permission: 'sending_access' },
  });
  const { data } = await accept([letter()], 'strict', { token: body.token });
  const resent = await api.host.request('POST', `/emails/${data[0]!.id}/resend`, { token: body.token });
  expectRefusal(resent, { status: 401, name: 'restricted_api_key', message: /only send/ });
});
