import { randomUUID } from 'node:crypto';
import { ContractHost, expectRefusal } from '../support/hosts/contract-host.js';
import { recordsOf } from '../support/reading/csv.js';

const COLUMNS = ['email', 'origin', 'reason', 'source_id', 'created_at', 'expires_at'] as const;

type Entry = Record<(typeof COLUMNS)[number], string | null>;

let api: ContractHost;
let token: string;
let account: string;

beforeAll(async () => {
  api = await ContractHost.start({ role: 'api' });
});

beforeEach(async () => {
  token = (await api.host.account(randomUUID())).token;
  await addAll(['seed@to.test']);
  const [row] = await api.host.query<{ account_id: string }>(
    'SELECT account_id FROM nestjs_emails.suppressions ORDER BY seq DESC LIMIT 1',
  );
  account = row!.account_id;
});

async function addAll(emails: readonly string[], origin?: string): Promise<void> {
  const { status } = await api.host.request('POST', '/suppressions/batch/add', { body: { emails, origin }, token });
  expect(status).toBe(201);
}

async function listed(): Promise<Entry[]> {
  const entries: (Entry & { id: string })[] = [];
  for (let more = true, cursor = ''; more; cursor = `&after=${entries.at(-1)?.id}`) {
    const { body } = await api.host.request<{ has_more: boolean; data: (Entry & { id: string })[] }>(
      'GET',
      `/suppressions?limit=100${cursor}`,
      { token },
    );
    entries.push(...body.data);
    more = body.has_more;
  }
  return entries.map((entry) => Object.fromEntries(COLUMNS.map((name) => [name, entry[name]])) as Entry);
}

async function exported(): Promise<Entry[]> {
  const { status, headers, text } = await api.host.request('GET', '/suppressions/export', { token });
  expect({ status, headers }).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="suppressions.csv"',
    },
  });
  const [head, ...records] = recordsOf(text);
  expect(head).toEqual(COLUMNS);
  return records.map((cells) => Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at] || null])) as Entry);
}

describe('GET /suppressions/export', () => {
  it('is the list as CSV, newest first', async () => {
    await addAll(['bounced@to.test', 'two@bücher.example'], 'bounce');
    await addAll(['complained@to.test'], 'complaint');
    const reason = '550 5.1.1 "jane", unknown\r\nuser';
    await api.host.query(
      `UPDATE nestjs_emails.suppressions SET reason = $1, source_id = $2, expires_at = now() + interval '1 day'
       WHERE account_id = $3 AND email = 'bounced@to.test'`,
      [reason, randomUUID(), account],
    );
    const file = await exported();
    expect(file).toEqual(await listed());
    expect(file).toHaveLength(4);
    expect(file).toContainEqual(expect.objectContaining({ email: 'bounced@to.test', reason, origin: 'bounce' }));
  });

  it('has neither expired entries, nor those of erased people, nor those of others', async () => {
    await addAll(['expired@to.test', 'stays@to.test', 'erased@to.test']);
    await api.host.query(
      `UPDATE nestjs_emails.suppressions SET expires_at = now() - interval '1 second'
       WHERE account_id = $1 AND email = 'expired@to.test'`,
      [account],
    );
    await api.host.query(
      `UPDATE nestjs_emails.suppressions SET email = NULL, email_key = 'form', reason = NULL
       WHERE account_id = $1 AND email = 'erased@to.test'`,
      [account],
    );
    const other = (await api.host.account(randomUUID())).token;
    const body = { email: 'other@to.test' };
    await api.host.request('POST', '/suppressions', { body, token: other });
    expect((await exported()).map(({ email }) => email)).toEqual(['stays@to.test', 'seed@to.test']);
  });

  it('takes no formula from an address or a reply', async () => {
    await addAll(['=1+1@to.test'], 'bounce');
    await api.host.query(
      `UPDATE nestjs_emails.suppressions SET reason = '@SUM(A1)' WHERE account_id = $1 AND origin = 'bounce'`,
      [account],
    );
    expect((await exported())[0]).toMatchObject({ email: "'=1+1@to.test", reason: "'@SUM(A1)" });
  });

  it('has every entry of a long list once', async () => {
    await api.host.query(
      `INSERT INTO nestjs_emails.suppressions (id, account_id, email_key, email, origin)
       SELECT gen_random_uuid(), $1, n || '@many.test', n || '@many.test', 'manual' FROM generate_series(1, 2500) AS n`,
      [account],
    );
    const file = await exported();
    expect(file).toHaveLength(2_501);
    expect(new Set(file.map(({ email }) => email)).size).toBe(2_501);
  });

  it('answers HEAD with its headers, and refuses strangers', async () => {
    const head = await api.host.request('HEAD', '/suppressions/export', { token });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expectRefusal(await api.host.request('GET', '/suppressions/export', { token: null }), {
      status: 401,
      name: 'missing_api_key',
      message: '',
    });
  });
});
