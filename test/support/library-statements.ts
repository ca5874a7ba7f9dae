const STORAGE = '../../libs/emails/dist/storage/';
const ID = '01900000-0000-7000-8000-000000000000';
/** As many emails as a busy worker asks for together. */
const GROUP = 20;
const BOUNDS = { limit: 101, inlineBytes: 1_000_000, maxBytes: 10_000_000 };

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
  const dataSource = {
    query: async (sql: string, params: readonly unknown[]) => {
      asked.set(name, { sql, params });
      return [];
    },
  };
  const repository = async (file: string, type: string) => {
    const module = await import(new URL(`${STORAGE}${file}.js`, import.meta.url).href);
    return new module[type](dataSource, false);
  };
  const deliveries = await repository('delivery.repository', 'DeliveryRepository');
  const emails = await repository('email.repository', 'EmailRepository');
  const housekeeping = await repository('housekeeping.repository', 'HousekeepingRepository');
  const leases = Array.from({ length: GROUP }, () => ({ id: ID, fence: 1 }));
  const end = { recipients: [], lastEvent: 'sent', attempts: 1, retryIn: null, events: [] };
  const questions: Record<string, () => Promise<unknown>> = {
    sweep: () => deliveries.overdue(1_000, 3_000, 500),
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
    accept: () => emails.accept([]),
    'find answer': () => emails.findAnswer('account', 'key'),
    'find place': () => emails.findSeq('account', ID),
    'first page': () => emails.page('account', undefined, BOUNDS),
    'older page': () => emails.page('account', { direction: 'older', seq: '1000' }, BOUNDS),
    'newer page': () => emails.page('account', { direction: 'newer', seq: '1000' }, BOUNDS),
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
