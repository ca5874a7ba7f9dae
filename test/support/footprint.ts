import type { TestDatabase } from './postgres.js';

/** How many rows each table of the library has: equal before and after a refusal, nothing was written. */
export async function footprint(database: Pick<TestDatabase, 'query'>): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; count: number }>(`
    SELECT table_name AS name, (xpath('/row/n/text()', query_to_xml(
      format('SELECT count(*) AS n FROM %I.%I', table_schema, table_name), false, true, '')))[1]::text::int AS count
    FROM information_schema.tables WHERE table_schema = 'nestjs_emails' AND table_type = 'BASE TABLE' ORDER BY 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
