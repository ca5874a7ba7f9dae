import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface List {
  has_more: boolean;
  data: { id: string }[];
}

/** One more than the last position at which the number of digits grows. */
const COUNT = 1_101;
const LATER = '2096-01-01T00:00:00Z';
const POSITIONS = 'generate_series(1, $1::integer) AS n';

/** Contract, sections 3, 3.3, 3.4, 5 and 8.3: every list has each object once, in order, at any page. */
describe('the pages of a list of 1,101 objects', () => {
  let host: RunningHost;
  let account: string;
  let token: string;
  /** With 1,000 attachments. */
  let email: string;
  let webhook: string;
  let contact: string;

  beforeAll(async () => {
    const sink = await SmtpSink.start();
    // A separate database, since a new one has numbers with few digits.
    host = await startHost({ smtp: sink });
    ({ account, token } = await host.account('pages'));
    const attachments = Array.from({ length: 1_000 }, (_, n) => ({ filename: `${n}.txt`, content: 'eA==' }));
    email = (await post('/emails', { ...letter(0), attachments })).id;
    webhook = (await post('/webhooks', { endpoint: 'https://hooks.test/in', events: ['email.sent'] })).id;
    contact = (await post('/contacts', { email: 'paged@to.test' })).id;
  });

  const letter = (n: number) => ({
    from: 'a@from.test',
    to: 'b@to.test',
    subject: `No. ${n}`,
    text: 'Hello',
    scheduled_at: LATER,
  });

  async function post<T = { id: string }>(path: string, body: unknown): Promise<T> {
    const answer = await host.request<T>('POST', path, { body, token });
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  }

  /** Each with an insert like that of any version, and the column that orders the list. */
  const inserted: Record<string, () => Promise<unknown>> = {
    // First, so that their numbers begin with one digit.
    '/emails/:email/events': () =>
      host.query(`INSERT INTO nestjs_emails.events (email_id, type) SELECT $2, 'scheduled' FROM ${POSITIONS}`, [
        COUNT - 1,
        email,
      ]),
    '/emails': async () => {
      for (let made = 1; made < COUNT; made += 100) {
        await post(
          '/emails/batch',
          Array.from({ length: 100 }, (_, n) => letter(made + n)),
        );
      }
    },
    '/contacts': () =>
      host.query(
        `INSERT INTO nestjs_emails.contacts (id, account_id, email, email_key)
         SELECT gen_random_uuid(), $2, n || '@to.test', n || '@to.test' FROM ${POSITIONS}`,
        [COUNT - 1, account],
      ),
    '/topics': () =>
      host.query(
        `INSERT INTO nestjs_emails.topics (id, account_id, name, default_subscription)
         SELECT gen_random_uuid(), $2, 'topic', 'opt_in' FROM ${POSITIONS}`,
        [COUNT, account],
      ),
    '/contacts/:contact/topics': async () => {},
    '/templates': () =>
      host.query(
        `INSERT INTO nestjs_emails.templates (id, account_id, name)
         SELECT gen_random_uuid(), $2, 'template' FROM ${POSITIONS}`,
        [COUNT, account],
      ),
    '/api-keys': () =>
      host.query(
        `INSERT INTO nestjs_emails.api_keys (id, account_id, name, permission, token_hash)
         SELECT gen_random_uuid(), $2, 'key', 'full_access', decode(md5(n::text), 'hex') FROM ${POSITIONS}`,
        [COUNT - 1, account],
      ),
    '/webhooks/:webhook/events': () =>
      host.query(
        `INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id, status, due_at)
         SELECT $2, $3, 'msg_' || lpad(n::text, 27, 'x'), 'email.sent', now(), 0, 'success', NULL FROM ${POSITIONS}`,
        [COUNT, webhook, account],
      ),
    '/webhooks/:webhook/events/:event/attempts': () =>
      host.query(
        `INSERT INTO nestjs_emails.webhook_attempts
           (webhook_id, event_seq, attempt_id, http_status_code, response, sent_at)
         SELECT $2, (SELECT min(seq) FROM nestjs_emails.webhook_events WHERE webhook_id = $2),
           'atmpt_' || lpad(n::text, 27, 'x'), 200, '', now() FROM ${POSITIONS}`,
        [COUNT, webhook],
      ),
    '/webhooks': () =>
      host.query(
        `INSERT INTO nestjs_emails.webhooks (id, account_id, endpoint, events, status, secrets)
         SELECT gen_random_uuid(), $2, 'https://a.test', '{email.sent}', 'disabled', '[]' FROM ${POSITIONS}`,
        [COUNT - 1, account],
      ),
  };

  /** The ids in the database's order, newest first. */
  const NUMBERED: Record<string, string> = {
    '/emails': 'SELECT id FROM nestjs_emails.emails WHERE account_id = $1 ORDER BY seq DESC',
    '/emails/:email/events': 'SELECT id FROM nestjs_emails.events WHERE email_id = $2 ORDER BY id DESC',
    '/contacts': 'SELECT id FROM nestjs_emails.contacts WHERE account_id = $1 ORDER BY seq DESC',
    '/topics': 'SELECT id FROM nestjs_emails.topics WHERE account_id = $1 ORDER BY seq DESC',
    '/contacts/:contact/topics': 'SELECT id FROM nestjs_emails.topics WHERE account_id = $1 ORDER BY seq DESC',
    '/templates': 'SELECT id FROM nestjs_emails.templates WHERE account_id = $1 ORDER BY seq DESC',
    '/api-keys': 'SELECT id FROM nestjs_emails.api_keys WHERE account_id = $1 ORDER BY seq DESC',
    '/webhooks': 'SELECT id FROM nestjs_emails.webhooks WHERE account_id = $1 ORDER BY seq DESC',
    '/webhooks/:webhook/events':
      'SELECT event_id AS id FROM nestjs_emails.webhook_events WHERE webhook_id = $3 ORDER BY seq DESC',
    '/webhooks/:webhook/events/:event/attempts':
      'SELECT attempt_id AS id FROM nestjs_emails.webhook_attempts a WHERE webhook_id = $3 ORDER BY a.id DESC',
  };

  /** All parameters are used, or PostgreSQL could not infer their types. */
  const numbered = async (list: string) => {
    const statement = `SELECT found.id FROM (${NUMBERED[list]}) AS found
      WHERE ($1::text, $2::uuid, $3::uuid) IS NOT NULL`;
    const rows = await host.query<{ id: string }>(statement, [account, email, webhook]);
    return rows.map(({ id }) => id);
  };

  const pathOf = async (list: string) => {
    const event = list.includes(':event') ? (await numbered('/webhooks/:webhook/events')).at(-1) : '';
    return list
      .replace(':email', email)
      .replace(':webhook', webhook)
      .replace(':contact', contact)
      .replace(':event', event ?? '');
  };

  async function page(path: string, query: string): Promise<List> {
    const { status, body } = await host.request<List>('GET', `${path}?${query}`, { token });
    expect([status, path, query]).toEqual([200, path, query]);
    return body;
  }

  async function walk(path: string, limit: number, direction: 'after' | 'before', from = ''): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = from; ; ) {
      const { data, has_more } = await page(path, `limit=${limit}${cursor && `&${direction}=${cursor}`}`);
      const found = data.map(({ id }) => id);
      if (direction === 'after') ids.push(...found);
      else ids.unshift(...found);
      if (!has_more) return ids;
      expect(found).toHaveLength(limit);
      cursor = (direction === 'after' ? found.at(-1) : found[0]) ?? '';
    }
  }

  it.each(Object.keys(inserted))('%s has each once, newest first', async (list) => {
    await inserted[list]?.();
    const path = await pathOf(list);
    const ids = await numbered(list);
    expect(ids).toHaveLength(COUNT);
    expect(await walk(path, 100, 'after')).toEqual(ids);
    expect((await walk(path, 7, 'after', ids[COUNT - 120])).join()).toBe(ids.slice(COUNT - 119).join());
  });

  it.each(['/emails', '/contacts', '/topics', '/contacts/:contact/topics', '/templates', '/api-keys', '/webhooks'])(
    '%s is the same upwards',
    async (list) => {
      const ids = await numbered(list);
      const path = await pathOf(list);
      expect(await walk(path, 100, 'before', ids.at(-1))).toEqual(ids.slice(0, -1));
    },
  );

  it('/emails/:email/attachments has each once, in the order in which they were given, in both directions', async () => {
    const path = `/emails/${email}/attachments`;
    const { data, has_more } = await page(path, '');
    const ids = data.map(({ id }) => id);
    expect([ids.length, has_more]).toEqual([1_000, false]);
    expect(data.map((each) => (each as { filename?: string }).filename)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => `${n}.txt`),
    );
    expect(await walk(path, 100, 'after')).toEqual(ids);
    expect(await walk(path, 100, 'before', ids.at(-1))).toEqual(ids.slice(0, -1));
  });
});
