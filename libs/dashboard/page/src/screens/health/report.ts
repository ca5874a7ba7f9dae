/** What the server says of itself to operators. What it cannot tell at the moment is null. */
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

/** "3 d 4 h", "2 min 5 s", "0 s": the two greatest units that it takes. */
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

/** What a status means for the emails. */
export const MEANINGS: Readonly<Record<Report['status'], string>> = {
  ok: 'Emails are taken and sent.',
  degraded: 'Emails are taken. What is owed is sent later, once what is named below answers again.',
  down: 'This process cannot do what it is there for. Nothing that was taken is lost; it is sent once what is named below answers again.',
};
