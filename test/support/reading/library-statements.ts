const STORAGE = '../../../libs/emails/dist/emails/storage/';
const ID = '01900000-0000-7000-8000-000000000000';
/** As many emails as a busy worker asks for together. */
const GROUP = 20;
const BOUNDS = { limit: 101, inlineBytes: 1_000_000, maxBytes: 10_000_000 };

/** What the library's repositories need of a data source. */
interface Asked {
  query: (sql: string, params: readonly unknown[]) => Promise<unknown>;
}

/** One of the library's repositories, as it is built, on a connection of the test's choice. */
// biome-ignore lint/suspicious/noExplicitAny: strangers have no such class, and no types of it
export async function libraryRepository(file: string, type: string, dataSource: Asked): Promise<any> {
  const module = await import(new URL(`${STORAGE}${file}.js`, import.meta.url).href);
  return new module[type](dataSource, false);
}

export interface Statement {
  sql: string;
  params: readonly unknown[];
}

/**
 * What the library asks of PostgreSQL, by the name of the question. The statements are the repositories' own: these are
 * asked, and what they would send is kept instead.
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
  const deliveries = await libraryRepository('delivery.repository', 'DeliveryRepository', dataSource);
  const emails = await libraryRepository('email.repository', 'EmailRepository', dataSource);
  const answers = await libraryRepository('answer.repository', 'AnswerRepository', dataSource);
  const together = { accountId: 'account', emails: [], answer: {}, idempotency: null };
  const housekeeping = await libraryRepository('housekeeping.repository', 'HousekeepingRepository', dataSource);
  const timeline = await libraryRepository('timeline.repository', 'TimelineRepository', dataSource);
  const index = await libraryRepository('email-index.repository', 'EmailIndexRepository', dataSource);
  const leases = Array.from({ length: GROUP }, () => ({ id: ID, fence: 1 }));
  const end = { recipients: [], lastEvent: 'sent', attempts: 1, retryIn: null, events: [] };
  const questions: Record<string, () => Promise<unknown>> = {
    sweep: () => deliveries.overdue(1_000, 3_000, 500, 'mx.test:25'),
    'sweep on': () => deliveries.overdue(1_000, 3_000, 2_000, 'mx.test:25', '2026-01-01 00:00:00+00'),
    'next hop back': () => deliveries.release('mx.test:25', 500),
    'due emails': () => deliveries.due(100_000),
    lease: () =>
      deliveries.lease(
        leases.map(({ id }) => id),
        8_000,
        250_000,
      ),
    'open attempts': () => deliveries.openAttempts(leases),
    'extend leases': () => deliveries.extend(leases, 8_000),
    close: () => deliveries.close(leases.map((lease) => ({ ...lease, ...end }))),
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
    'emails that filters do not know': () => index.index(ID, 500),
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
