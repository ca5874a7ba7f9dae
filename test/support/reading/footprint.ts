import type { TestDatabase } from '../servers/postgres.js';

/**
 * Number of rows in every table that acceptance writes: equal counts before and after a refusal show that nothing was
 * written. Events, counts, attempts and the outbox are left out, because earlier emails may still add some, and the row
 * that the first look for alarms adds in the background.
 */
export async function footprint(database: Pick<TestDatabase, 'query'>): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; count: number }>(`
    SELECT table_name AS name, (xpath('/row/n/text()', query_to_xml(
      format('SELECT count(*) AS n FROM %I.%I', table_schema, table_name), false, true, '')))[1]::text::int AS count
    FROM information_schema.tables
    WHERE table_schema = 'nestjs_emails' AND table_type = 'BASE TABLE' AND table_name NOT IN (
      'events', 'event_counts', 'event_totals', 'attempts', 'event_outbox', 'webhook_events', 'webhook_payloads',
      'webhook_attempts', 'operator_counts', 'operator_account_counts', 'operator_mailboxes', 'quota_counts', 'reputations',
      'alarm_looks')
    ORDER BY 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
