import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PersonEraser, PersonToErase } from '../index.js';
import { addressKey } from '../shared/mailbox/address-key.js';
import { mailboxKey } from '../shared/mailbox/mailbox-key.js';
import { SCHEMA } from '../shared/rows/schema.js';

/** The mailboxes of drafts and published versions. $1: account, $2: before. */
const MAILBOXES = `
SELECT DISTINCT mailbox FROM ${SCHEMA}.templates, LATERAL (
  SELECT from_mailbox UNION ALL SELECT unnest(reply_to_mailboxes) UNION ALL SELECT published->>'from'
  UNION ALL SELECT jsonb_array_elements_text(published->'replyTo')
) AS named(mailbox)
WHERE account_id = $1 AND created_at < $2 AND mailbox IS NOT NULL`;

/** $3: mailboxes. */
const WITHOUT = `
UPDATE ${SCHEMA}.templates
SET from_mailbox = CASE WHEN from_mailbox = ANY($3) THEN NULL ELSE from_mailbox END,
  reply_to_mailboxes = ARRAY(
    SELECT mailbox FROM unnest(reply_to_mailboxes) WITH ORDINALITY AS r(mailbox, place) WHERE mailbox <> ALL($3) ORDER BY place
  ),
  published = published || jsonb_build_object(
    'from', CASE WHEN published->>'from' = ANY($3) THEN NULL ELSE published->>'from' END,
    'replyTo', (SELECT coalesce(jsonb_agg(mailbox ORDER BY place), '[]')
      FROM jsonb_array_elements_text(published->'replyTo') WITH ORDINALITY AS r(mailbox, place) WHERE mailbox <> ALL($3)))
WHERE account_id = $1 AND created_at < $2 AND (from_mailbox = ANY($3) OR reply_to_mailboxes && $3
  OR published->>'from' = ANY($3) OR published->'replyTo' ?| $3)`;

/**
 * Takes part when a person is erased: the person is no longer the sender or the reply address of templates. Their texts
 * stay. For `personErasers` of `EmailsModule`.
 */
@Injectable()
export class TemplateEraser implements PersonEraser {
  constructor(private readonly dataSource: DataSource) {}

  async erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const rows: { mailbox: string }[] = await this.dataSource.query(MAILBOXES, [accountId, before]);
    const key = addressKey(address);
    const own = rows.map(({ mailbox }) => mailbox).filter((mailbox) => mailboxKey(mailbox) === key);
    if (own.length > 0) await this.dataSource.query(WITHOUT, [accountId, before, own]);
    return false;
  }
}
