import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { accountHash, termHash, termsOf } from './email-terms.js';

/** $1: id before which to look, $2: how many at most. Emails that filters do not know yet, the newest first. */
const UNINDEXED = `
SELECT e.id, e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc,
  to_json(e.bcc_mailboxes) AS bcc, to_json(e.reply_to_mailboxes) AS "replyTo", e.tags, e.topic_id AS "topicId"
FROM (
  SELECT email_id FROM nestjs_emails.deliveries WHERE seq IS NULL AND email_id < $1 ORDER BY email_id DESC LIMIT $2
) AS d JOIN nestjs_emails.emails e ON e.id = d.email_id
ORDER BY e.id DESC`;

/** $1: JSON array of ids and terms. Passes over what somebody else has locked, or has done meanwhile. */
const INDEX = `
WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS r(id uuid, terms text[])),
locked AS MATERIALIZED (
  SELECT d.email_id, e.account_id, e.seq
  FROM input JOIN nestjs_emails.deliveries d ON d.email_id = input.id JOIN nestjs_emails.emails e ON e.id = input.id
  WHERE coalesce(d.seq, 0) = 0 AND e.seq > 0
  ORDER BY d.email_id FOR NO KEY UPDATE OF d SKIP LOCKED
),
numbered AS (
  UPDATE nestjs_emails.deliveries d SET account = ${accountHash('locked.account_id')}, seq = locked.seq
  FROM locked WHERE d.email_id = locked.email_id
  RETURNING d.email_id, locked.account_id, d.seq
),
findable AS (
  INSERT INTO nestjs_emails.email_terms (term, seq)
  SELECT ${termHash('term', 'account_id')}, seq FROM numbered JOIN input ON id = email_id, unnest(terms) AS term
  ON CONFLICT DO NOTHING
)
SELECT count(*)::integer AS count FROM numbered`;

/** Makes emails known to filters that a process of an earlier version wrote. */
@Injectable()
export class EmailIndexRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Looks at up to `limit` of them. Resolves with the last of these and how many are known now; undefined when there are
   * none.
   *
   * @param before id before which to look
   */
  async index(before: string, limit: number): Promise<{ last: string; count: number } | undefined> {
    const emails: ({ id: string } & Parameters<typeof termsOf>[0])[] = await this.dataSource.query(UNINDEXED, [
      before,
      limit,
    ]);
    const last = emails.at(-1);
    if (!last) return undefined;
    const input = emails.map((email) => ({ id: email.id, terms: termsOf(email) }));
    const [row]: { count: number }[] = await this.dataSource.query(INDEX, [JSON.stringify(input)]);
    return { last: last.id, count: row?.count ?? 0 };
  }
}
