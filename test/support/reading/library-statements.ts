import pg from 'pg';
import { afterFile } from '../basics/cleanup.js';
import type { OwnDatabase } from '../servers/postgres.js';

const STORAGE = '../../../libs/emails/dist/emails/storage/';
const ID = '01900000-0000-7000-8000-000000000000';
/** Number of emails in one statement of a busy worker. */
const GROUP = 20;
/** The next hops of the process, see `hopBits`. */
const HOPS = 4n;
const BOUNDS = { limit: 101, inlineBytes: 1_000_000, maxBytes: 10_000_000, columns: 'all' };

/** Parts of a data source that the library's repositories need. */
interface Asked {
  query: (sql: string, params: readonly unknown[]) => Promise<unknown>;
}

/** A data source on the test's connections that answers as TypeORM does: rows of an UPDATE or DELETE with their number. */
export function dataSourceOn(client: pg.Pool | pg.Client) {
  return {
    query: async (sql: string, params: readonly unknown[] = []): Promise<unknown> => {
      const { command, rows, rowCount } = await client.query(sql, [...params]);
      return command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
    },
  };
}

/** The same, with a connection of its own for transactions. */
export async function transactingOn({ url, pool }: OwnDatabase) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterFile(() => client.end());
  return {
    ...dataSourceOn(pool),
    createQueryRunner: () => ({ connect: async () => client, release: async () => {} }),
  };
}

/** A built repository of the library on a data source, such as `dataSourceOn`. */
// biome-ignore lint/suspicious/noExplicitAny: the package does not export the class or its types
export async function libraryRepository(file: string, type: string, dataSource: Asked): Promise<any> {
  const module = await import(new URL(`${STORAGE}${file}.js`, import.meta.url).href);
  // Some accept a data source, others a repository of TypeORM, and all use the same methods.
  const asked = Object.assign(Object.create(dataSource), { manager: { connection: dataSource } });
  return new module[type](asked, false);
}

export interface Statement {
  sql: string;
  params: readonly unknown[];
}

/**
 * Statements of the library for PostgreSQL, by name. The repositories' methods are called, and the statements are
 * recorded and not sent.
 */
export async function libraryStatements(): Promise<Map<string, Statement>> {
  const asked = new Map<string, Statement>();
  let name = '';
  const keep = async (sql: string, params: readonly unknown[]) => {
    asked.set(name, { sql, params });
    return [];
  };
  const connection = {
    query: async ({ text, values }: { text: string; values: readonly unknown[] }) => ({
      rows: await keep(text, values),
    }),
  };
  const dataSource = {
    query: keep,
    createQueryRunner: () => ({ connect: async () => connection, release: async () => {} }),
  };
  const deliveries = await libraryRepository('deliver/delivery.repository', 'DeliveryRepository', dataSource);
  const emails = await libraryRepository('accept/emails.repository', 'EmailsRepository', dataSource);
  const answers = await libraryRepository('accept/answer.repository', 'AnswerRepository', dataSource);
  const together = { accountId: 'account', emails: [], answer: {}, idempotency: null };
  const housekeeping = await libraryRepository('keep/housekeeping.repository', 'HousekeepingRepository', dataSource);
  const timeline = await libraryRepository('read/timeline.repository', 'TimelineRepository', dataSource);
  const leases = Array.from({ length: GROUP }, () => ({ id: ID, fence: 1, transport: 'mx.test:25' }));
  const end = { recipients: [], lastEvent: 'sent', attempts: 1, retryIn: null, events: [] };
  const questions: Record<string, () => Promise<unknown>> = {
    sweep: () => deliveries.overdue({ now: 1_000, bulk: 1_000 }, 3_000, 500, HOPS),
    'sweep on': () => deliveries.overdue({ now: 1_000, bulk: 1_000 }, 3_000, 2_000, HOPS, '2026-01-01 00:00:00+00'),
    'next hop back': () => deliveries.release(HOPS, 500),
    'due emails': () => deliveries.due(100_000),
    lease: () =>
      deliveries.lease(
        leases.map(({ id }) => id),
        8_000,
        { content: 250_000, htmlOnly: 20_000 },
        false,
      ),
    'open attempts': () => deliveries.openAttempts(leases),
    'check attempts': () => deliveries.checkAttempts(leases),
    'withdraw attempts': () => deliveries.withdrawAttempts(leases),
    'extend leases': () => deliveries.extend(leases, 8_000),
    close: () => deliveries.close(leases.map((lease) => ({ ...lease, ...end }))),
    'close split': () => deliveries.closeSplit(leases.map((lease) => ({ ...lease, ...end, messages: [] }))),
    'note outcomes': () => deliveries.noteOutcomes(leases.map((lease) => ({ ...lease, message: 1, outcomes: [] }))),
    'wake-ups': () => emails.wakeUps(leases.map(({ id }) => id)),
    accept: () => emails.accept([], 200),
    'accept what is free': () => emails.acceptFree([], 200),
    'accept together': () => answers.accept(together, 200),
    'accept a copy': () => answers.accept({ ...together, source: { id: ID, hasHtml: true, hasText: true } }, 200),
    'find whole answer': () => answers.findAnswer('account', { endpoint: '/emails/batch', key: 'key' }),
    'find source': () => answers.findSource('account', ID),
    'expired answers': () => housekeeping.deleteExpiredAnswers(100),
    'accepted emails': () => emails.findAccepted(leases.map(({ id }) => id)),
    'find answer': () => emails.findAnswer('account', 'key'),
    'find place': () => emails.findSeq('account', ID),
    'first page': () => emails.page('account', undefined, BOUNDS),
    'older page': () => emails.page('account', { direction: 'older', seq: '1000' }, BOUNDS),
    'newer page': () => emails.page('account', { direction: 'newer', seq: '1000' }, BOUNDS),
    events: () => timeline.events(ID, { limit: 101 }),
    recipients: () => timeline.recipients('account', ID),
    'expired keys': () => housekeeping.deleteExpiredKeys(1_000),
    'orphaned contents': () => housekeeping.deleteOrphanedContents('', 100),
    'old contents': () => housekeeping.clearContents({ from: 'past', after: ID }, 86_400_000, 100),
    'old history': () => housekeeping.deleteHistory({ from: 'past', after: ID }, 86_400_000, 100),
    'contents that were left': () => housekeeping.clearContents({ ids: [ID] }, 86_400_000, 100),
    'contents of a clock that was ahead': () =>
      housekeeping.clearContents({ from: 'ahead', after: ID }, 86_400_000, 100),
  };
  for (const [question, ask] of Object.entries(questions)) {
    name = question;
    await ask();
  }
  return asked;
}
