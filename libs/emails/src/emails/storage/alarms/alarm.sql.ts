import { after } from '../due-work.sql.js';

/** Columns of the index of open alarms. */
const KEY = 'code, account_id, subject';

/** $1: JSON array of new alarms. One that is on stays as it is. */
export const RAISE = `
INSERT INTO nestjs_emails.alarms (${KEY}, text, since)
SELECT ${KEY}, text, coalesce(since, clock_timestamp())
FROM jsonb_to_recordset($1::jsonb) AS a (code text, account_id text, subject text, text text, since timestamptz)
ORDER BY ${KEY}
ON CONFLICT (${KEY}) WHERE ended_at IS NULL DO NOTHING`;

/** $1: JSON array of keys. A call that is pending or in progress stays so: the end follows it. */
export const END = `
UPDATE nestjs_emails.alarms a
SET ended_at = greatest(clock_timestamp(), a.since), due_at = coalesce(a.due_at, clock_timestamp())
FROM jsonb_to_recordset($1::jsonb) AS k (code text, account_id text, subject text)
WHERE (a.code, a.account_id, a.subject) = (k.code, k.account_id, k.subject) AND a.ended_at IS NULL`;

/** A poll of every process. */
export const DUE = `
SELECT NOT EXISTS (SELECT FROM nestjs_emails.alarm_looks WHERE due_at > now()) AS look,
  EXISTS (SELECT FROM nestjs_emails.alarms WHERE due_at <= now()) AS call`;

/** $1: milliseconds until the next look. No row: another process looks. */
export const CLAIM_LOOK = `
INSERT INTO nestjs_emails.alarm_looks AS l (id, due_at) VALUES (1, ${after('$1')})
ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at WHERE l.due_at <= now()
RETURNING id`;

/** $1: codes. */
export const OPEN = `
SELECT code, account_id AS account, subject, since FROM nestjs_emails.alarms WHERE ended_at IS NULL AND code = ANY($1::text[])`;

/** $1: lease in milliseconds, $2: limit. */
export const CLAIM = `
WITH next AS (
  SELECT id FROM nestjs_emails.alarms WHERE due_at <= now() ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
),
claimed AS (
  UPDATE nestjs_emails.alarms a SET fence = a.fence + 1, due_at = ${after('$1')} FROM next WHERE a.id = next.id
  RETURNING a.*
)
SELECT id, fence, code, account_id AS account, subject, text, since, ended_at AS "endedAt",
  notified_at IS NOT NULL AS "isNotified", failures
FROM claimed`;

/** $1: id, $2: fence. A row that another transaction has locked is left as it is. */
const written = (write: string) => `
WITH held AS (SELECT id FROM nestjs_emails.alarms WHERE id = $1 AND fence = $2),
free AS (SELECT id FROM nestjs_emails.alarms WHERE id = $1 AND fence = $2 FOR UPDATE SKIP LOCKED),
written AS (${write} RETURNING a.id)
SELECT EXISTS (SELECT FROM held) AS held, EXISTS (SELECT FROM written) AS done`;

/** The host was notified of the begin. */
export const NOTIFIED = written(`
  UPDATE nestjs_emails.alarms a
  SET notified_at = now(), failures = 0, due_at = CASE WHEN a.ended_at IS NOT NULL THEN now() END
  FROM free WHERE a.id = free.id`);

/** The host was notified of the end. */
export const FORGET = written('DELETE FROM nestjs_emails.alarms a USING free WHERE a.id = free.id');

/** $3: milliseconds until the next call. */
export const PUT_OFF = written(`
  UPDATE nestjs_emails.alarms a SET failures = a.failures + 1, due_at = ${after('$3')} FROM free WHERE a.id = free.id`);
