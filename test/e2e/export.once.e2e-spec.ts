import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, expectRefusal, invalid, letter } from '../support/hosts/contract-host.js';
import { recordsOf } from '../support/reading/csv.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { connectTo } from '../support/requests/raw-connection.js';

const COLUMNS = 'id,created_at,from,to,cc,bcc,reply_to,subject,last_event,scheduled_at,tags,topic_id,message_id'.split(
  ',',
);
const FAR = '2096-11-21T05:26:01Z';
/** Emails of the large export. By hand: EXPORT=1000000. */
const MANY = Number(process.env.EXPORT ?? 100_000);
/** The memory that it may take on top, in a heap in which garbage is soon collected. Megabytes. */
const MEMORY = 40;
const HEAP = 128;

let api: ContractHost;
let token: string;

beforeAll(async () => {
  api = await ContractHost.start({ role: 'api', env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
});

beforeEach(async () => {
  token = (await api.host.account(randomUUID())).token;
});

const accept = (fields: object = {}) => api.accept({ scheduled_at: FAR, ...fields }, { token });

async function exported(query = ''): Promise<Record<string, string>[]> {
  const { status, headers, text } = await api.host.request('GET', `/emails/export${query}`, { token });
  expect({ status, headers }).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="emails.csv"',
    },
  });
  const [head, ...records] = recordsOf(text);
  expect(head).toEqual(COLUMNS);
  return records.map((cells) => Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]!])));
}

async function fill(count: number): Promise<void> {
  await accept();
  await api.host.query(
    `WITH made AS (
      INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
        reply_to_mailboxes, subject, html, headers, tags, created_at)
      SELECT gen_random_uuid(), account_id, '<' || gen_random_uuid() || '@a.test>', 'a@a.test', '{b@b.test}', '{}', '{}', '{}',
        repeat('Hello ', 20), repeat('x', 1000), '[]', '[]', now()
      FROM generate_series(1, $1::integer),
        (SELECT account_id FROM nestjs_emails.emails ORDER BY seq DESC LIMIT 1) AS newest
      RETURNING id
    )
    INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
    SELECT id, 'delivered', NULL, '[]' FROM made`,
    [count - 1],
  );
}

/** Contract, section 3.6. */
describe('GET /emails/export', () => {
  it('is the list as CSV, newest first', async () => {
    const first = await accept({
      from: '"Ann, Shop" <ann@from.test>',
      to: ['One <one@to.test>', 'two@to.test'],
      cc: 'c@to.test',
      bcc: 'd@to.test',
      reply_to: ['=r@from.test'],
      subject: 'Say "hi", 漢字 🎉',
      tags: [
        { name: 'kind', value: 'order' },
        { name: 'empty', value: '' },
      ],
    });
    const second = await accept({ subject: '=HYPERLINK("https://evil.test","x")', html: '<p>secret</p>' });
    const [newest, oldest, ...others] = await exported();
    expect(others).toEqual([]);
    expect(oldest).toEqual({
      id: first,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
      from: '"Ann, Shop" <ann@from.test>',
      to: 'One <one@to.test>, two@to.test',
      cc: 'c@to.test',
      bcc: 'd@to.test',
      reply_to: "'=r@from.test",
      subject: 'Say "hi", 漢字 🎉',
      last_event: 'scheduled',
      scheduled_at: '2096-11-21 05:26:01.000000+00',
      tags: 'kind:order, empty:',
      topic_id: '',
      message_id: `<${first}@from.test>`,
    });
    expect(newest).toMatchObject({ id: second, subject: `'=HYPERLINK("https://evil.test","x")` });
  });

  it('has the filters of the list, and all pages', async () => {
    await accept();
    const id = await accept({ to: 'jane@to.test' });
    expect((await exported('?to=jane@to.test&last_event=scheduled,sent&limit=1')).map((email) => email.id)).toEqual([
      id,
    ]);
    expect(await exported('?to=nobody@to.test')).toEqual([]);
    expect(await exported('?limit=1')).toHaveLength(2);
    const refusal = invalid(/^`to` must be an address/);
    expectRefusal(await api.host.request('GET', '/emails/export?to=x', { token }), refusal);
    expectRefusal(await api.host.request('GET', '/emails/export', { token: null }), {
      status: 401,
      name: 'missing_api_key',
      message: '',
    });
    const head = await api.host.request('HEAD', '/emails/export', { token });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  });

  it('ends its pages before they are large', async () => {
    const to = Array.from({ length: 50 }, (_, at) => `"${'n'.repeat(900)}" <${at}@to.test>`);
    const body = Array.from({ length: 20 }, () => letter({ scheduled_at: FAR }));
    const { body: sent } = await api.host.request<{ data: { id: string }[] }>('POST', '/emails/batch', { body, token });
    await api.host.query(
      'UPDATE nestjs_emails.emails SET to_mailboxes = $1, cc_mailboxes = $1, bcc_mailboxes = $1 WHERE id = ANY($2)',
      [to, sent.data.map(({ id }) => id)],
    );
    const emails = await exported();
    expect(emails).toHaveLength(20);
    expect(new Set(emails.map(({ bcc }) => bcc))).toEqual(new Set([to.join(', ')]));
  });

  describe('of many emails', () => {
    beforeEach(() => fill(MANY));

    it('has each once, in the memory of a page', async () => {
      await exported('?last_event=scheduled');
      const before = megabytesOf(api.host.pid);
      const answer = await fetch(`${api.host.url}/emails/export`, { headers: { authorization: `Bearer ${token}` } });
      const ids = new Set<string>();
      let lines = 0;
      let rest = '';
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
        const text = rest + piece;
        const all = text.split('\r\n');
        rest = all.pop()!;
        lines += all.length;
        for (const line of all) ids.add(line.slice(0, 36));
      }
      expect([lines, ids.size]).toEqual([MANY + 1, MANY + 1]);
      expect(megabytesOf(api.host.pid) - before).toBeLessThan(MEMORY);
    });

    it('waits for readers that stop, holds no transaction, and forgets those that leave', async () => {
      const before = megabytesOf(api.host.pid);
      const readers: Socket[] = [];
      for (let count = 0; count < 5; count++) {
        const reader = await connectTo(api.host.url);
        reader.write(`GET /emails/export HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
        await once(reader, 'readable');
        readers.push(reader);
      }
      await until(async () => {
        const [row] = await api.host.query<{ count: number }>(
          "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid() AND query LIKE '%available%'",
        );
        return row?.count === 0;
      });
      expect(megabytesOf(api.host.pid) - before).toBeLessThan(MEMORY);
      for (const reader of readers) reader.destroy();
      expect(await exported('?last_event=scheduled')).toHaveLength(1);
      expect(api.host.output).not.toMatch(/\berror\b/i);
    });
  });
});
