import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { RawConnection } from '../support/requests/raw-connection.js';

/** Megabytes of the heap that the host has. */
const HEAP = 256;
/** Upper limit for the memory of a process: its heap, and what requests, answers and connections hold outside of it. */
const MOST = 900;
/** Readers that never read. */
const READERS = 24;
const EMAILS = 40;
/** Bytes of content in a page of emails. */
const PAGE_BYTES = 10_000_000;
/** Bytes of content in a page of anything else. */
const MAX_WEIGHT = 5_000_000;
/** Fifty mailboxes of maximal length: 127 kB. PostgreSQL compresses them to a few kilobytes. */
const MAILBOXES = `(SELECT array_agg(repeat('名', 850) || n || ' <a' || n || '@to.test>') FROM generate_series(1, 50) AS n)`;

interface ListBody {
  has_more: boolean;
  data: { id: string }[];
}

/** Objects with little text and very long mailboxes cost others neither memory nor time when they are listed. */
describe('A host with a small heap lists very long mailboxes', () => {
  let host: RunningHost;
  const emails: string[] = [];
  const templates: string[] = [];

  beforeAll(async () => {
    host = await startHost({ role: 'api', env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
    const letter = { from: 'a@from.test', to: 'to@to.test', subject: 'Hello', text: 'x', scheduled_at: 'in 10 days' };
    for (let count = 0; count < EMAILS; count++) emails.unshift(await created('/emails', letter));
    for (let count = 0; count < EMAILS + 10; count++) templates.unshift(await created('/templates', { name: 'T' }));
    const columns = ['to', 'cc', 'bcc', 'reply_to'].map((name) => `${name}_mailboxes = ${MAILBOXES}`);
    await host.query(`UPDATE nestjs_emails.emails SET ${columns.join(', ')}`);
    await host.query(`UPDATE nestjs_emails.templates SET reply_to_mailboxes = ${MAILBOXES}`);
  });

  afterEach(async () => {
    expect((await host.request('GET', '/health/live')).status).toBe(200);
    expect(megabytesOf(host.pid)).toBeLessThan(MOST);
  });

  async function created(path: string, body: object): Promise<string> {
    const answer = await host.request<{ id: string }>('POST', path, { body });
    expect(answer.status).toBeLessThan(300);
    return answer.body.id;
  }

  async function readAll(path: string, most: number): Promise<string[]> {
    const read: string[] = [];
    for (let after = ''; ; after = `&after=${read.at(-1)}`) {
      const { text, body } = await host.request<ListBody>('GET', `${path}?limit=100${after}`);
      expect(Buffer.byteLength(text)).toBeLessThan(1.01 * most);
      read.push(...body.data.map(({ id }) => id));
      if (!body.has_more) return read;
    }
  }

  it('ends a page of emails at 10 MB, and continues on the next one', async () => {
    expect(await readAll('/emails', PAGE_BYTES)).toEqual(emails);
  });

  it('ends a page of templates at 5 MB, and continues on the next one', async () => {
    expect(await readAll('/templates', MAX_WEIGHT)).toEqual(templates);
  });

  it('shows each mailbox unchanged, in the list, in a filtered one and alone', async () => {
    const { body } = await host.request<ListBody>('GET', '/emails?limit=1');
    const [first] = body.data;
    const filtered = await host.request<ListBody>('GET', '/emails?limit=1&last_event=scheduled');
    expect(filtered.body.data).toEqual([first]);
    const alone = await host.request<object>('GET', `/emails/${emails[0]}`);
    expect(alone.body).toMatchObject(first ?? {});
    const { to } = first as unknown as { to: string[] };
    expect([to.length, to[49]]).toEqual([50, `${'名'.repeat(850)}50 <a50@to.test>`]);
  });

  it.each(['/emails', '/templates'])('limits the unread pages of %s in memory', async (path) => {
    const head = `GET ${path}?limit=100 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${host.token}\r\n\r\n`;
    for (let count = 0; count < READERS; count++) (await RawConnection.open(host.url, head)).stopReading();
    await until(async () => (await host.request('GET', `${path}?limit=100`)).status === 200, {
      timeout: 120_000,
      interval: 500,
    });
  });
});
