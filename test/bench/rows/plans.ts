import type { Place } from '../support/stage.js';

const STORAGE = '../../../libs/emails/dist/storage/';
const ID = '01900000-0000-7000-8000-000000000000';
const BOUNDS = { limit: 101, inlineBytes: 1_000_000, maxBytes: 10_000_000 };

interface Statement {
  sql: string;
  params: readonly unknown[];
}

/**
 * The sequential scans in the plans of what the library asks of a full database, by the name of the question. The
 * statements are the repositories' own: they are asked, and what they would send is explained instead.
 */
export async function plans(place: Place): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, { sql, params }] of await statements()) {
    const rows = await place.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params);
    found.set(
      name,
      rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => line.includes('Seq Scan on ')),
    );
  }
  return found;
}

async function statements(): Promise<Map<string, Statement>> {
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
  const lease = { id: ID, fence: 1 };
  const questions: Record<string, () => Promise<unknown>> = {
    sweep: () => deliveries.overdue(1_000, 3_000, 500),
    lease: () => deliveries.lease([ID], 8_000, 250_000),
    'open attempts': () => deliveries.openAttempts([lease]),
    'extend leases': () => deliveries.extend([lease], 8_000),
    close: () =>
      deliveries.close([{ ...lease, recipients: [], lastEvent: 'sent', attempts: 1, retryIn: null, events: [] }]),
    accept: () => emails.accept([]),
    'find answer': () => emails.findAnswer('account', 'key'),
    'find place': () => emails.findSeq('account', ID),
    'first page': () => emails.page('account', undefined, BOUNDS),
    'older page': () => emails.page('account', { direction: 'older', seq: '1000' }, BOUNDS),
    'newer page': () => emails.page('account', { direction: 'newer', seq: '1000' }, BOUNDS),
    'expired keys': () => housekeeping.deleteExpiredKeys(1_000),
    'orphaned contents': () => housekeeping.deleteOrphanedContents('', 100),
    'old contents': () => housekeeping.clearContents(ID, 86_400_000, 100),
    'old history': () => housekeeping.deleteHistory(ID, 86_400_000, 100),
  };
  for (const [question, ask] of Object.entries(questions)) {
    name = question;
    await ask();
  }
  return asked;
}
