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

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** "3 d 4 h", "2 min 5 s", "0 s": its two largest units. */
export function durationOf(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([, size]) => left >= size);
  const parts = UNITS.slice(first < 0 ? -1 : first)
    .slice(0, 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? `${count} ${unit}` : '';
    });
  return parts.filter(Boolean).join(' ') || '0 s';
}

/** Meaning of a status for the emails. */
export const MEANINGS: Readonly<Record<Report['status'], string>> = {
  ok: 'Emails are accepted and sent.',
  degraded: 'New emails are accepted. Pending emails will be sent when the services below respond.',
  down: 'This process cannot do its work. Accepted emails are kept, and will be sent when the services below respond.',
};
