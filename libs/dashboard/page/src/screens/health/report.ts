/** The server's report about itself for operators. Unknown figures are null. */
export interface Report {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<string, string>;
  emails: { due: number; oldest_due_seconds: number } | null;
  jobs: Record<string, number> | null;
  subscribers: { name: string; waiting: number; oldest_seconds: number }[] | null;
  webhooks: { waiting: number; oldest_seconds: number } | null;
  process: { role: string; uptime_seconds: number; memory_bytes: number };
  board: string | null;
}

/** Meaning of a status for the emails. */
export const MEANINGS: Readonly<Record<Report['status'], string>> = {
  ok: 'Emails are accepted and sent.',
  degraded: 'New emails are accepted. Pending emails will be sent when the services below respond.',
  down: 'This process cannot do its work. Accepted emails are kept, and will be sent when the services below respond.',
};
