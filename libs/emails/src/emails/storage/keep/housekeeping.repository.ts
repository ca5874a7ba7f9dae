import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ContentOwners } from '../content-owners.js';
import { EMAILS_DATA_SOURCE } from '../storage.tokens.js';

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
 * A content is touched when an email is about to refer to it, so a content that was just put is never deleted. Contents
 * deleted by erasures are noted for as long as an email may be about to refer to them.
 */
const ORPHANED = `
  SELECT c.hash FROM batch JOIN nestjs_emails.attachment_contents c ON c.hash = batch.hash AND c.slice = 0
  WHERE c.touched_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM nestjs_emails.attachments a WHERE a.content_hash = batch.hash)`;
const deleteOrphaned = (batch: string) => `
WITH batch AS MATERIALIZED (${batch}),
orphaned AS (${ORPHANED} FOR UPDATE OF c SKIP LOCKED),
deleted AS (DELETE FROM nestjs_emails.attachment_contents c USING orphaned WHERE c.hash = orphaned.hash),
forgotten AS (DELETE FROM nestjs_emails.erased_contents WHERE erased_at < now() - interval '1 day')
SELECT max(hash) AS last FROM batch`;

const NEXT_CONTENTS =
  'SELECT hash FROM nestjs_emails.attachment_contents WHERE hash > $1 AND slice = 0 ORDER BY hash LIMIT $2';
const DELETE_ORPHANED_CONTENTS = deleteOrphaned(NEXT_CONTENTS);
/** $1: hashes without an owner. */
const DELETE_UNOWNED_CONTENTS = deleteOrphaned('SELECT unnest($1::text[]) AS hash');
const FIND_ORPHANED_CONTENTS = `
WITH batch AS MATERIALIZED (${NEXT_CONTENTS})
SELECT (SELECT max(hash) FROM batch) AS last, ARRAY(${ORPHANED}) AS orphaned`;

/** The latest time that an id can have, in milliseconds. */
const LAST_TIME = 2 ** 48 - 1;

/**
 * The smallest id of a time. Ids are UUIDs of version 7: their first 48 bits are milliseconds by the clock of the
 * process that accepted the email (RFC 9562 section 5.7). Times out of range count as the nearest possible one.
 */
const idAt = (time: string) =>
  `rpad(lpad(to_hex(least(greatest(${time}, 0), ${LAST_TIME})::bigint), 12, '0'), 32, '0')::uuid`;

const NOW = 'extract(epoch FROM now())::float8 * 1000';
/** `NaN` is larger than any number here, and therefore keeps emails for ever. */
const AGE = `least(greatest($2::float8, 0), ${LAST_TIME})`;
/** Clocks that agree differ by less than this. Milliseconds. */
const AHEAD = 86_400_000;

/** $1: id to start after. Emails that are old enough by their ids, or whose ids are from a clock that was ahead. */
const RANGES = {
  past: `e.id > $1::uuid AND e.id < ${idAt(`${NOW} - ${AGE}`)} ORDER BY e.id LIMIT $3`,
  ahead: `e.id > greatest($1::uuid, ${idAt(`${NOW} + ${AHEAD}`)}) ORDER BY e.id LIMIT $3`,
};
/** $1: ids. */
const NAMED = 'e.id = ANY($1::uuid[]) ORDER BY e.id LIMIT $3';

/** The age itself is decided by the clock of PostgreSQL alone. */
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
 * The emails to look at: those after a place in the order of ids, or the given ones. With correct clocks, ids have the
 * order of acceptance. `ahead`: ids from the future.
 */
export type Stretch = { from: keyof typeof RANGES; after: string } | { ids: readonly string[] };

/** Progress of a walk through old emails. */
export interface Step {
  /** Id to continue after. */
  last: string;
  /** Emails that were left unchanged: something is pending, or they are too young. */
  unfinished: string[];
}

/** A place before all ids. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';

/** Removes expired data, a limited number of rows per call. */
@Injectable()
export class HousekeepingRepository {
  constructor(
    @Inject(EMAILS_DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly owners: ContentOwners = new ContentOwners(),
  ) {}

  /** Resolves with the number of removed rows. Fewer than `limit` means that none is left. */
  deleteExpiredKeys(limit: number): Promise<number> {
    return this.deleteExpired(DELETE_EXPIRED_KEYS, limit);
  }

  /** The same for whole answers. */
  deleteExpiredAnswers(limit: number): Promise<number> {
    return this.deleteExpired(DELETE_EXPIRED_ANSWERS, limit);
  }

  /**
   * Removes those of the next `limit` contents after `hash` that no email and no owner refers to, a day after they were
   * last put. No lock is held while owners are asked: contents that are put meanwhile stay, and so do all when an
   * owner does not answer. Resolves with the last hash; undefined when there are no more.
   */
  async deleteOrphanedContents(hash: string, limit: number): Promise<string | undefined> {
    const rows: { last: string | null; orphaned?: string[] }[] = await this.dataSource.query(
      this.owners.any ? FIND_ORPHANED_CONTENTS : DELETE_ORPHANED_CONTENTS,
      [hash, limit],
    );
    const { last = null, orphaned = [] } = rows[0] ?? {};
    if (this.owners.any) {
      const unowned = await this.owners.unowned(orphaned, this.dataSource.manager);
      if (unowned) await this.dataSource.query(DELETE_UNOWNED_CONTENTS, [unowned]);
    }
    return last ?? undefined;
  }

  /**
   * Clears html, text and attachments of up to `limit` emails that were accepted at least `age` milliseconds ago and
   * have nothing pending. Resolves with undefined when there is none to look at.
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
