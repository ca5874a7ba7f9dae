import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { ContractHost } from '../support/hosts/contract-host.js';
import { ERASED, Erasing, FILE, someone } from '../support/requests/erasing.js';
import { FileServer } from '../support/servers/file-server.js';

const LATER = '2096-11-21T05:26:01Z';

let api: ContractHost;
let people: Erasing;
let receiver: FileServer;

beforeAll(async () => {
  receiver = await FileServer.start();
  api = await ContractHost.start({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } });
  people = new Erasing(api);
});

/** A webhook of an account with its requests. */
async function listen(path: string, events: string[], token = api.host.token) {
  const got: string[] = [];
  receiver.routes[path] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      got.push(Buffer.concat(chunks).toString());
      response.writeHead(200).end();
    });
  };
  const body = { endpoint: receiver.url + path, events };
  const { body: made } = await api.host.request<{ id: string }>('POST', '/webhooks', { body, token });
  return { id: made.id, got };
}

async function transaction(statement: string, values: unknown[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: api.host.databaseUrl });
  await client.connect();
  afterFile(() => client.end());
  await client.query('BEGIN');
  await client.query(statement, values);
  return client;
}

const payloads = (email: string) =>
  api.host.query<{ payload: string }>('SELECT body AS payload FROM nestjs_emails.webhook_payloads WHERE body LIKE $1', [
    `%${email}%`,
  ]);

describe('a webhook with a locked row', () => {
  it('does not delay events of another account, and loses none', async () => {
    const { token } = await api.host.account('neighbour');
    const locked = await listen('/locked', ['email.scheduled']);
    const free = await listen('/free', ['email.scheduled'], token);
    const stranger = await transaction('SELECT FROM nestjs_emails.webhooks WHERE id = $1 FOR UPDATE', [locked.id]);
    const send = (index: number) => api.accept({ scheduled_at: LATER }, index % 2 === 0 ? { token } : {});
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(index)));
    await until(() => free.got.length === 20, { what: 'the events of the other account' });
    expect(locked.got).toEqual([]);
    await stranger.query('ROLLBACK');
    await until(() => locked.got.length === 20, { what: 'the events of the locked webhook' });
  });

  it('is disabled while events are written for it, and gets none of them later', async () => {
    const { id, got } = await listen('/disabled', ['email.scheduled']);
    const change = (status: string) => api.host.request('PATCH', `/webhooks/${id}`, { body: { status } });
    const sent = Array.from({ length: 30 }, () => api.accept({ scheduled_at: LATER }));
    expect((await change('disabled')).status).toBe(200);
    const before = got.length;
    await Promise.all(sent);
    const left = 'SELECT FROM nestjs_emails.event_outbox';
    await until(async () => (await api.host.query(left)).length === 0);
    expect((await change('enabled')).status).toBe(200);
    const marker = await api.accept({ scheduled_at: LATER });
    await until(() => got.some((body) => body.includes(marker)));
    expect(got.length).toBeLessThanOrEqual(before + 11);
  });
});

describe('an account whose webhooks have many events waiting', () => {
  const EVENTS = 3_000;
  const ENDPOINTS = 10;

  it('does not delay events of another account behind most of them, and gets them all in order', async () => {
    const large = await api.host.account('large');
    const neighbour = await api.host.account('next to large');
    // No request to these endpoints ends.
    receiver.routes['/never'] = () => {};
    for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
      const body = { endpoint: `${receiver.url}/never`, events: ['contact.created'] };
      await api.host.request('POST', '/webhooks', { body, token: large.token });
    }
    const { got } = await listen('/neighbour', ['email.scheduled'], neighbour.token);
    const [row] = await api.host.query<{ id: string }>(
      'SELECT account_id AS id FROM nestjs_emails.webhooks GROUP BY 1 HAVING count(*) = $1',
      [ENDPOINTS],
    );
    // Nothing is handed over until both have recorded.
    const handover = await transaction(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks', $1))`, [0x6f75_7462]);
    await api.host.query(
      `SELECT nestjs_emails.publish($1, 'contact.created', jsonb_build_object('id', n)) FROM generate_series(1, $2) AS n`,
      [row?.id, EVENTS],
    );
    await api.accept({ scheduled_at: LATER }, { token: neighbour.token });
    await handover.query('COMMIT');
    await until(() => got.length === 1, { what: 'the event of the neighbour', timeout: 60_000 });
    const [before] = await api.host.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM nestjs_emails.webhook_events WHERE account_id = $1 AND recorded_at <= (
         SELECT recorded_at FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
         WHERE w.endpoint LIKE '%/neighbour')`,
      [row?.id],
    );
    expect(before?.count).toBeLessThan(2_000);

    const logs = () =>
      api.host.query<{ ids: number[] }>(
        `SELECT array_agg((p.body::json->'data'->>'id')::integer ORDER BY e.seq) AS ids FROM nestjs_emails.webhook_events e
         JOIN nestjs_emails.webhook_payloads p ON p.id = e.payload_id WHERE e.account_id = $1 GROUP BY e.webhook_id`,
        [row?.id],
      );
    const outbox = 'SELECT FROM nestjs_emails.event_outbox LIMIT 1';
    await until(async () => (await api.host.query(outbox)).length === 0, { timeout: 120_000 });
    const all = Array.from({ length: EVENTS }, (_, index) => index + 1);
    expect(await logs()).toEqual(Array.from({ length: ENDPOINTS }, () => ({ ids: all })));
  }, 240_000);
});

describe('a person who is erased', () => {
  const EVENTS = ['email.sent', 'email.delivered', 'email.bounced', 'email.scheduled'];

  it('is in no payload about another recipient of the same email, nor in a replay', async () => {
    const person = someone();
    const { id, got } = await listen('/others', EVENTS);
    const email = await people.sent({
      to: ['bob@person.test', person],
      subject: `For ${person}`,
      headers: { 'X-For': person, 'X-Other': 'yes' },
    });
    await until(async () => (await payloads(email)).length === 2);
    await until(() => got.filter((body) => body.includes(email)).length === 2);
    await people.untilErased(person);
    expect(await people.whereIs(person)).toEqual([]);
    const kept = (await payloads(email)).map(({ payload }) => JSON.parse(payload).data);
    expect(kept.map(({ to }) => to)).toEqual(expect.arrayContaining([['bob@person.test'], [ERASED]]));
    for (const data of kept) expect(data).toMatchObject({ subject: '', email_id: email });

    const events = `/webhooks/${id}/events`;
    const { body: log } = await api.host.request<{ data: { id: string }[] }>('GET', events);
    const before = got.length;
    for (const event of log.data) await api.host.request('POST', `${events}/${event.id}/replay`);
    await until(() => got.length >= before + log.data.length);
    expect(got.slice(before).join('')).not.toContain(person);
  });

  it('is in no payload of an email that was pending for others', async () => {
    const person = someone();
    await listen('/later', EVENTS);
    const email = await people.scheduled({
      from: `Jane <${person}>`,
      to: ['bob@person.test', person],
      subject: `For ${person}`,
    });
    const erasure = await people.erase(person);
    await until(async () => {
      const [row] = await api.host.query<{ to: string[] }>(
        'SELECT to_mailboxes AS "to" FROM nestjs_emails.emails WHERE id = $1',
        [email],
      );
      return row?.to.includes(ERASED);
    });
    await people.fallDue(email);
    await people.untilFinished(erasure);
    await until(async () => (await payloads(email)).length >= 2);
    expect(await people.whereIs(person)).toEqual([]);
  });

  it('leaves no bytes of attachments, unless others have the same', async () => {
    const [person, other] = [someone(), someone()];
    const own = { filename: 'own.txt', content: Buffer.from(`for ${person}`).toString('base64') };
    await people.sent({ to: person, attachments: [own, FILE] });
    await people.sent({ to: other, attachments: [FILE] });
    const contents = async () =>
      (await api.host.query<{ content: Buffer }>('SELECT content FROM nestjs_emails.attachment_contents')).map(
        ({ content }) => content.toString(),
      );
    expect((await contents()).sort()).toEqual([`for ${person}`, 'private'].sort());
    await people.untilErased(person);
    expect(await contents()).toEqual(['private']);
    await people.untilErased(other);
    expect(await contents()).toEqual([]);
    await people.sent({ to: 'bob@person.test', attachments: [FILE] });
    expect(await contents()).toEqual(['private']);
  });

  it('does not remove the attachment of an email that is being accepted', async () => {
    const person = someone();
    const file = { filename: 'a.txt', content: Buffer.from('shared').toString('base64') };
    const sent = await people.sent({ to: person, attachments: [file] });
    // It has put its attachment and waits for its account's list.
    const stranger = await transaction(
      `SELECT pg_advisory_xact_lock(${0x656d_6c73}, hashtext(account_id)) FROM nestjs_emails.emails WHERE id = $1`,
      [sent],
    );
    const accepting = api.host.request<{ id: string }>('POST', '/emails', {
      body: { from: 'a@from.test', to: 'bob@person.test', subject: 'Shared', text: 'x', attachments: [file] },
    });
    await until(async () => {
      const waiting = await api.host.query(
        `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND classid = ${0x656d_6c73}`,
      );
      return waiting.length > 0;
    });
    await people.untilErased(person);
    await stranger.query('ROLLBACK');
    const { status } = await accepting;
    const rows = await api.host.query(
      `SELECT FROM nestjs_emails.attachments a WHERE NOT EXISTS (
         SELECT FROM nestjs_emails.attachment_contents c WHERE c.hash = a.content_hash)`,
    );
    expect([rows, [200, 503].includes(status)]).toEqual([[], true]);
  });
});
