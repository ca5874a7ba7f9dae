import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';

/** @param key its columns */
const deleteExpired = (table: string, key: string) => `
WITH deleted AS (
  DELETE FROM nestjs_emails.${table} WHERE (${key}) IN (
    SELECT ${key} FROM nestjs_emails.${table} WHERE expires_at <= now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
)
SELECT count(*)::integer AS count FROM deleted`;

const DELETE_EXPIRED_KEYS = deleteExpired('idempotency_keys', 'account_id, key');
const DELETE_EXPIRED_ANSWERS = deleteExpired('idempotent_answers', 'account_id, endpoint, key');

/**
 * A content is touched whenever an email is about to refer to it, so one that was just put is never taken. What erasures took
 * away is noted for as long as an email may be about to refer to it.
 */
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
deleted AS (DELETE FROM nestjs_emails.attachment_contents c USING orphaned WHERE c.hash = orphaned.hash),
forgotten AS (DELETE FROM nestjs_emails.erased_contents WHERE erased_at < now() - interval '1 day')
SELECT max(hash) AS last FROM batch`;

/** The largest time that an id can have, in milliseconds. */
const LAST_TIME = 2 ** 48 - 1;

/**
 * The least id of a time. Ids are UUIDs of version 7: their first 48 bits are milliseconds by the clock of the process
 * that accepted the email (RFC 9562 section 5.7). Times that no id can have count as the nearest that one can.
 */
const idAt = (time: string) =>
  `rpad(lpad(to_hex(least(greatest(${time}, 0), ${LAST_TIME})::bigint), 12, '0'), 32, '0')::uuid`;

const NOW = 'extract(epoch FROM now())::float8 * 1000';
/** `NaN` is larger than any number here, and so is kept for ever. */
const AGE = `least(greatest($2::float8, 0), ${LAST_TIME})`;
/** Clocks that agree differ by less, in milliseconds. */
const AHEAD = 86_400_000;

/** $1: after which id. Emails that are so old by their ids, or whose ids are from a clock that was ahead. */
const RANGES = {
  past: `e.id > $1::uuid AND e.id < ${idAt(`${NOW} - ${AGE}`)} ORDER BY e.id LIMIT $3`,
  ahead: `e.id > greatest($1::uuid, ${idAt(`${NOW} + ${AHEAD}`)}) ORDER BY e.id LIMIT $3`,
};
/** $1: ids. */
const NAMED = 'e.id = ANY($1::uuid[]) ORDER BY e.id LIMIT $3';

/** The age itself is told by the clock of PostgreSQL alone. */
const batch = (which: string) => `
batch AS MATERIALIZED (
  SELECT e.id, d.due_at IS NULL AND extract(epoch FROM now() - e.created_at)::float8 * 1000 >= ${AGE} AS over
  FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id WHERE ${which}
)`;
const PLACE = `
SELECT id AS last, (SELECT coalesce(array_agg(id) FILTER (WHERE NOT over), '{}') FROM batch) AS unfinished
FROM batch ORDER BY id DESC LIMIT 1`;

const clearContents = (which: string) => `
WITH ${batch(which)},
cleared AS (
  UPDATE nestjs_emails.emails e SET html = NULL, text = NULL
  FROM batch WHERE e.id = batch.id AND batch.over AND (html IS NOT NULL OR text IS NOT NULL)
),
detached AS (DELETE FROM nestjs_emails.attachments a USING batch WHERE a.email_id = batch.id AND batch.over)
${PLACE}`;

const deleteHistory = (which: string) => `
WITH ${batch(which)},
forgotten AS (DELETE FROM nestjs_emails.events v USING batch WHERE v.email_id = batch.id AND batch.over),
closed AS (DELETE FROM nestjs_emails.attempts a USING batch WHERE a.email_id = batch.id AND batch.over)
${PLACE}`;

/**
 * Which emails to look at: those after a place in the order of ids, which is the order of acceptance where clocks are
 * right, or these. `ahead`: those whose ids are of a time to come.
 */
export type Stretch = { from: keyof typeof RANGES; after: string } | { ids: readonly string[] };

/** How far a walk through old emails has come. */
export interface Step {
  /** Where to go on from. */
  last: string;
  /** Those that were left as they are, because they still owe something or are too young. */
  unfinished: string[];
}

/** Before the first email in the order of ids. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';

/** Removes what is no longer needed, a bounded number of rows a call. */
@Injectable()
export class HousekeepingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Resolves with how many it removed; fewer than `limit` means that nothing is left. */
  deleteExpiredKeys(limit: number): Promise<number> {
    return this.deleteExpired(DELETE_EXPIRED_KEYS, limit);
  }

  /** The same with whole answers. */
  deleteExpiredAnswers(limit: number): Promise<number> {
    return this.deleteExpired(DELETE_EXPIRED_ANSWERS, limit);
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
   * Clears html, text and attachments of up to `limit` emails that were accepted `age` milliseconds ago or earlier and
   * owe nothing. Resolves with undefined when there are none to look at.
   */
  clearContents(stretch: Stretch, age: number, limit: number): Promise<Step | undefined> {
    return this.walk(clearContents, stretch, age, limit);
  }

  /** The same for events and attempts. */
  deleteHistory(stretch: Stretch, age: number, limit: number): Promise<Step | undefined> {
    return this.walk(deleteHistory, stretch, age, limit);
  }

  private async deleteExpired(sql: string, limit: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(sql, [limit]);
    return rows[0]?.count ?? 0;
  }

  private async walk(
    sql: (which: string) => string,
    stretch: Stretch,
    age: number,
    limit: number,
  ): Promise<Step | undefined> {
    const [which, where] = 'ids' in stretch ? [NAMED, stretch.ids] : [RANGES[stretch.from], stretch.after];
    const rows: Step[] = await this.dataSource.query(sql(which), [where, age, limit]);
    return rows[0];
  }
}
