import type { EmailRow } from '../list/email-row';

/** Columns and cells of `GET /emails/export` (contract, section 3.6). */
const COLUMNS: Readonly<Record<string, (row: EmailRow) => string>> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  from: ({ from }) => from,
  to: ({ to }) => to.join(', '),
  cc: ({ cc }) => cc.join(', '),
  bcc: ({ bcc }) => bcc.join(', '),
  reply_to: ({ reply_to }) => reply_to.join(', '),
  subject: ({ subject }) => subject,
  last_event: ({ last_event }) => last_event,
  scheduled_at: ({ scheduled_at }) => scheduled_at ?? '',
  tags: ({ tags }) => tags.map(({ name, value }) => `${name}:${value}`).join(', '),
  topic_id: ({ topic_id }) => topic_id ?? '',
  message_id: ({ message_id }) => message_id,
};

/** The file that the API makes of all emails, of these rows alone. */
export function csvOf(rows: readonly EmailRow[]): string {
  const records = rows.map((row) => Object.values(COLUMNS).map((cell) => cell(row)));
  return [Object.keys(COLUMNS), ...records].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula begins with a quotation mark. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
