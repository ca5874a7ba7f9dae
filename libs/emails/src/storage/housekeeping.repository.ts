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
WITH orphaned AS (
  SELECT hash FROM nestjs_emails.attachment_contents c
  WHERE slice = 0 AND touched_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM nestjs_emails.attachments a WHERE a.content_hash = c.hash)
  LIMIT $1 FOR UPDATE SKIP LOCKED
),
deleted AS (
  DELETE FROM nestjs_emails.attachment_contents c USING orphaned WHERE c.hash = orphaned.hash RETURNING c.slice
)
SELECT count(*) FILTER (WHERE slice = 0)::integer AS count FROM deleted`;

/** Removes what is no longer needed, a bounded number of rows a call. */
@Injectable()
export class HousekeepingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Resolves with how many it removed; fewer than `limit` means that nothing is left. */
  deleteExpiredKeys(limit: number): Promise<number> {
    return this.count(DELETE_EXPIRED_KEYS, limit);
  }

  /** Removes contents that no email refers to, a day after they were last put. */
  deleteOrphanedContents(limit: number): Promise<number> {
    return this.count(DELETE_ORPHANED_CONTENTS, limit);
  }

  private async count(sql: string, limit: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(sql, [limit]);
    return rows[0]?.count ?? 0;
  }
}
