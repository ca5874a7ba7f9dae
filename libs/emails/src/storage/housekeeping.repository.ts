import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';

const DELETE_EXPIRED_KEYS = `
WITH deleted AS (
  DELETE FROM nestjs_emails.idempotency_keys WHERE (account_id, key) IN (
    SELECT account_id, key FROM nestjs_emails.idempotency_keys WHERE expires_at <= now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
)
SELECT count(*)::integer AS count FROM deleted`;

/** A content is touched whenever an email is about to refer to it, so one that was just put is never taken. */
const DELETE_ORPHANED_CONTENTS = `
WITH batch AS MATERIALIZED (
  SELECT hash FROM nestjs_emails.attachment_contents WHERE hash > $1 AND slice = 0 ORDER BY hash LIMIT $2
),
orphaned AS (
  SELECT c.hash FROM batch JOIN nestjs_emails.attachment_contents c ON c.hash = batch.hash AND c.slice = 0
  WHERE c.touched_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM nestjs_emails.attachments a WHERE a.content_hash = batch.hash)
  FOR UPDATE OF c SKIP LOCKED
),
deleted AS (DELETE FROM nestjs_emails.attachment_contents c USING orphaned WHERE c.hash = orphaned.hash)
SELECT max(hash) AS last FROM batch`;

/** Ids are UUIDs of version 7: their first 48 bits are the milliseconds of acceptance (RFC 9562 section 5.7). */
const BATCH = `
batch AS MATERIALIZED (
  SELECT e.id, d.due_at FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
  WHERE e.id > $1
    AND e.id < rpad(lpad(to_hex((extract(epoch FROM now()) * 1000 - $2::float8)::bigint), 12, '0'), 32, '0')::uuid
  ORDER BY e.id LIMIT $3
)`;
const PLACE = `
SELECT id AS last, (SELECT bool_or(due_at IS NOT NULL) FROM batch) AS unfinished FROM batch ORDER BY id DESC LIMIT 1`;

const CLEAR_CONTENTS = `
WITH ${BATCH},
cleared AS (
  UPDATE nestjs_emails.emails e SET html = NULL, text = NULL
  FROM batch WHERE e.id = batch.id AND batch.due_at IS NULL AND (html IS NOT NULL OR text IS NOT NULL)
),
detached AS (DELETE FROM nestjs_emails.attachments a USING batch WHERE a.email_id = batch.id AND batch.due_at IS NULL)
${PLACE}`;

const DELETE_HISTORY = `
WITH ${BATCH},
forgotten AS (DELETE FROM nestjs_emails.events v USING batch WHERE v.email_id = batch.id AND batch.due_at IS NULL),
closed AS (DELETE FROM nestjs_emails.attempts a USING batch WHERE a.email_id = batch.id AND batch.due_at IS NULL)
${PLACE}`;

/** How far a walk through old emails has come. */
export interface Step {
  /** Where to go on from. */
  last: string;
  /** Whether an email was left as it is because it still owes something. */
  unfinished: boolean;
}

/** Before the first email in the order of ids, which is the order of acceptance. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';

/** Removes what is no longer needed, a bounded number of rows a call. */
@Injectable()
export class HousekeepingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Resolves with how many it removed; fewer than `limit` means that nothing is left. */
  async deleteExpiredKeys(limit: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(DELETE_EXPIRED_KEYS, [limit]);
    return rows[0]?.count ?? 0;
  }

  /**
   * Removes those of the next `limit` contents after `hash` that no email refers to, a day after they were last put.
   * Resolves with the last hash; undefined when there are no more.
   */
  async deleteOrphanedContents(hash: string, limit: number): Promise<string | undefined> {
    const rows: { last: string | null }[] = await this.dataSource.query(DELETE_ORPHANED_CONTENTS, [hash, limit]);
    return rows[0]?.last ?? undefined;
  }

  /**
   * Clears html, text and attachments of the next `limit` emails after `place` that are older than `age` milliseconds
   * and owe nothing. Resolves with undefined when there are no more.
   */
  clearContents(place: string, age: number, limit: number): Promise<Step | undefined> {
    return this.walk(CLEAR_CONTENTS, place, age, limit);
  }

  /** The same for events and attempts. */
  deleteHistory(place: string, age: number, limit: number): Promise<Step | undefined> {
    return this.walk(DELETE_HISTORY, place, age, limit);
  }

  private async walk(sql: string, place: string, age: number, limit: number): Promise<Step | undefined> {
    const rows: Step[] = await this.dataSource.query(sql, [place, age, limit]);
    return rows[0];
  }
}
