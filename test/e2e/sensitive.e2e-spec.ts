import pg from 'pg';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, invalid } from '../support/hosts/contract-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventsOf } from '../support/reading/deliveries.js';
import { Erasing, someone } from '../support/requests/erasing.js';

/** In everything that is content. */
const SECRET = 'Kestrel-4711';
const BASE64 = Buffer.from(SECRET).toString('base64');
const CONTENT = {
  text: `Your code: ${SECRET}`,
  html: `<p>${SECRET}</p>`,
  headers: { 'X-Code': SECRET },
  attachments: [{ filename: `${SECRET}.txt`, content: BASE64 }],
};

let api: ContractHost;
let people: Erasing;
let recipients = 0;

beforeAll(async () => {
  api = await ContractHost.share();
  people = new Erasing(api);
});

beforeEach(() => api.sink.reset());

const recipient = () => `secret${recipients++}@person.test`;
const accept = (fields: object = {}) => api.accept({ to: recipient(), sensitive: true, ...CONTENT, ...fields });

/** Where the content is in the database: as text, or as the bytes of an attachment. */
const whereIsContent = async () => [
  ...(await people.whereIs(SECRET)),
  ...(await people.whereIs(BASE64)),
  ...(await people.whereIs(Buffer.from(SECRET).toString('hex'))),
];

const untilFinished = (id: string) => until(async () => (await people.stateOf(id))?.finished === true);

/** The email is finished in this state, without content, with its subject and timeline. */
async function expectCleared(id: string, state: string): Promise<void> {
  await untilFinished(id);
  expect(await whereIsContent()).toEqual([]);
  const { body } = await api.host.request('GET', `/emails/${id}`);
  expect(body).toMatchObject({ subject: 'Hello', html: null, text: null, sensitive: true, last_event: state });
  expect((await eventsOf(api.host, id)).length).toBeGreaterThan(1);
}

/** Every answer and link that would show content. */
async function expectHidden(id: string): Promise<void> {
  const asked = ['', '/events', '/recipients', '/attachments', '/source'].map((path) => `/emails/${id}${path}`);
  for (const path of [...asked, '/emails?limit=100']) {
    const { text } = await api.host.request('GET', path);
    expect({ path, shows: text.includes(SECRET) || text.includes(BASE64) }).toEqual({ path, shows: false });
  }
  expect((await api.host.request('GET', `/emails/${id}/attachments`)).body).toMatchObject({ data: [] });
  const refused = [
    ['GET', 'source', 'This email cannot be shown as a message: it is sensitive.'],
    ['POST', 'share', 'This email cannot be shared: it is sensitive.'],
    ['POST', 'resend', 'This email cannot be sent again: it is sensitive.'],
  ] as const;
  for (const [method, what, message] of refused) {
    await api.refuseRequest(method, `/emails/${id}/${what}`, {}, invalid(message));
  }
}

describe(`sensitive mail, queue on ${queueKind()}`, () => {
  it('arrives whole, and is shown nowhere before and after', async () => {
    api.sink.onRcpt = () => '450 4.7.1 later';
    const id = await accept();
    await until(async () => (await people.stateOf(id))?.last_event === 'delivery_delayed');
    await expectHidden(id);
    expect((await whereIsContent()).length).toBeGreaterThan(0);
    delete api.sink.onRcpt;
    await api.host.request('POST', `/emails/${id}/retry`);
    const { raw } = await api.sink.waitFor(({ raw }) => raw.includes(id));
    expect(raw.toString()).toMatch(new RegExp(`X-Code: ${SECRET}[^]*Your code: ${SECRET}[^]*${BASE64}`));
    await expectCleared(id, 'sent');
    await expectHidden(id);
  });

  it('is cleared when the next hop refuses it', async () => {
    api.sink.onRcpt = () => '550 5.1.1 no such user';
    await expectCleared(await accept(), 'bounced');
  });

  it('is cleared when it is canceled', async () => {
    const id = await accept({ scheduled_at: 'in 2 days' });
    expect((await api.host.request('POST', `/emails/${id}/cancel`)).status).toBe(200);
    await expectCleared(id, 'canceled');
  });

  it('is cleared when no recipient is left', async () => {
    const to = recipient();
    const topic = { name: 'Codes', default_subscription: 'opt_out' };
    const { body } = await api.host.request<{ id: string }>('POST', '/topics', { body: topic });
    await expectCleared(await accept({ to, topic_id: body.id }), 'failed');
  });

  it('is cleared when its only recipient is erased', async () => {
    const person = someone();
    const id = await people.scheduled({ to: person, sensitive: true, ...CONTENT });
    await people.untilErased(person);
    expect(await people.stateOf(id)).toMatchObject({ last_event: 'canceled', finished: true });
    expect(await whereIsContent()).toEqual([]);
  });

  it('is cleared when the ends of its attempts are unknown to the last', async () => {
    api.sink.onMessage = () => 'drop';
    const id = await accept();
    await until(async () => (await people.stateOf(id))?.last_event === 'delivery_delayed');
    const spent = 'UPDATE nestjs_emails.deliveries SET attempts = 1000, due_at = now() WHERE email_id = $1';
    await api.host.query(spent, [id]);
    await untilFinished(id);
    expect(await whereIsContent()).toEqual([]);
  });

  it('is kept while one of its recipients is pending', async () => {
    const [now, later] = [recipient(), recipient()];
    api.sink.onRcpt = (address) => (address === later ? '450 4.7.1 later' : undefined);
    const id = await accept({ to: [now, later] });
    await until(async () => (await people.stateOf(id))?.last_event === 'delivery_delayed');
    delete api.sink.onRcpt;
    await api.host.request('POST', `/emails/${id}/retry`);
    const { raw } = await api.sink.waitFor(({ envelope }) => envelope.to.includes(later));
    expect(raw.toString()).toContain(SECRET);
    await expectCleared(id, 'sent');
  });

  it('shares no attachment with other mail, which keeps its own', async () => {
    const attachments = [{ filename: 'a.txt', content: BASE64 }];
    const open = await api.accept({ to: recipient(), attachments });
    await untilFinished(open);
    const id = await api.accept({ to: recipient(), attachments, sensitive: true });
    await untilFinished(id);
    const stored = 'SELECT count(*)::integer AS count FROM nestjs_emails.attachment_contents WHERE content = $1';
    expect(await api.host.query(stored, [Buffer.from(SECRET)])).toEqual([{ count: 1 }]);
    const { body } = await api.host.request<{ data: unknown[] }>('GET', `/emails/${open}/attachments`);
    expect(body.data).toHaveLength(1);
    await api.host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [open]);
    await api.host.query('DELETE FROM nestjs_emails.attachment_contents WHERE content = $1', [Buffer.from(SECRET)]);
  });

  it('waits for an email whose row is locked, and delays no other', async () => {
    const hold = await holdRow(await accept({ scheduled_at: 'in 2 days' }));
    const others = await Promise.all([accept(), accept()]);
    await people.fallDue(hold.id);
    for (const other of others) await untilFinished(other);
    await hold.release();
    await untilFinished(hold.id);
    expect(await whereIsContent()).toEqual([]);
  });

  it('is decided for each email of a batch', async () => {
    const body = [true, false, undefined].map((sensitive) => ({
      from: 'sender@from.test',
      to: recipient(),
      subject: 'Hello',
      text: `${SECRET} ${sensitive}`,
      attachments: [{ filename: 'a.txt', content: BASE64 }],
      sensitive,
    }));
    const answer = await api.host.request<{ data: { id: string }[] }>('POST', '/emails/batch', { body });
    const ids = answer.body.data.map(({ id }) => id);
    for (const id of ids) await untilFinished(id);
    const texts = await Promise.all(ids.map(async (id) => (await api.host.request('GET', `/emails/${id}`)).body.text));
    expect(texts).toEqual([null, `${SECRET} false`, `${SECRET} undefined`]);
    await api.host.query('DELETE FROM nestjs_emails.emails WHERE id = ANY($1::uuid[])', [ids]);
    await api.host.query('DELETE FROM nestjs_emails.attachment_contents WHERE content = $1', [Buffer.from(SECRET)]);
  });

  it.each(['yes', 1, {}])('is refused as %j', async (sensitive) => {
    await api.refuse({ sensitive }, invalid('`sensitive` must be true or false.'));
  });

  it('is part of the meaning of a request, and absent from it where it is not given', async () => {
    const to = recipient();
    const key = { 'idempotency-key': `sensitive ${to}` };
    const id = await api.accept({ to }, { headers: key });
    const again = await api.accept({ to, sensitive: null }, { headers: key });
    expect(again).toBe(id);
    for (const sensitive of [true, false]) {
      const body = { from: 'Sender <sender@from.test>', to, subject: 'Hello', text: 'x', sensitive };
      const { status } = await api.host.request('POST', '/emails', { body, headers: key });
      expect(status).toBe(409);
    }
  });
});

describe('a template', () => {
  const publish = async (fields: object) => {
    const body = { name: 'Code', subject: 'Hello', text: '{{CODE}}', ...fields };
    const { body: made } = await api.host.request<{ id: string }>('POST', '/templates', { body });
    await api.host.request('POST', `/templates/${made.id}/publish`);
    return made.id;
  };
  const send = async (template: string, fields: object = {}) => {
    const content = { text: undefined, subject: undefined, template: { id: template, variables: { CODE: SECRET } } };
    const id = await api.accept({ to: recipient(), ...content, ...fields });
    await untilFinished(id);
    const { body } = await api.host.request('GET', `/emails/${id}`);
    return body;
  };

  it('makes its emails sensitive, unless the email says otherwise', async () => {
    const template = await publish({ sensitive: true });
    expect(await send(template)).toMatchObject({ text: null, sensitive: true });
    expect(await whereIsContent()).toEqual([]);
    const open = await send(template, { sensitive: false });
    expect(open.text).toBe(SECRET);
    expect(open.sensitive).toBeUndefined();
    await api.host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [open.id]);
    expect(await send(await publish({}), { sensitive: true })).toMatchObject({ text: null, sensitive: true });
  });

  it('has it in its versions and copies', async () => {
    const template = await publish({});
    const path = `/templates/${template}`;
    const before = (await api.host.request('GET', path)).body;
    expect(before).toMatchObject({ sensitive: false, has_unpublished_versions: false });
    const { body: changed } = await api.host.request('PATCH', path, { body: { sensitive: true } });
    expect(changed).toMatchObject({ sensitive: true, has_unpublished_versions: true });
    expect(changed.current_version_id).not.toBe(before.current_version_id);
    const open = await send(template);
    expect(open.text).toBe(SECRET);
    await api.host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [open.id]);
    expect((await api.host.request('POST', `${path}/duplicate`)).body).toMatchObject({ sensitive: true });
    await api.host.request('POST', `${path}/publish`);
    expect(await send(template)).toMatchObject({ text: null, sensitive: true });
    expect((await api.host.request('PATCH', path, { body: { sensitive: null } })).body).toMatchObject({
      sensitive: false,
      current_version_id: before.current_version_id,
    });
  });
});

/** Holds an email's row in a transaction of another program. */
async function holdRow(id: string): Promise<{ id: string; release: () => Promise<void> }> {
  const connection = new pg.Client({ connectionString: api.host.databaseUrl });
  await connection.connect();
  await connection.query('BEGIN');
  await connection.query('SELECT FROM nestjs_emails.emails WHERE id = $1 FOR NO KEY UPDATE', [id]);
  return {
    id,
    release: async () => {
      await connection.query('COMMIT');
      await connection.end();
    },
  };
}
