import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Semaphore } from '../../shared/work/semaphore.js';

/** An attachment of an email, without its bytes. */
export interface StoredAttachment {
  position: number;
  filename: string | null;
  contentType: string;
  contentId: string | null;
  /** Bytes before base64. */
  size: number;
}

/** What a link to an attachment leads to. */
export interface LinkedAttachment {
  accountId: string;
  filename: string | null;
  contentType: string;
  contentHash: string;
  size: number;
}

/** What a link to an email leads to, without its content. */
export interface LinkedEmail {
  accountId: string;
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  /** `2026-11-21 05:26:01.123456+00` */
  createdAt: string;
  /** Bytes of its html, or of its text where it has no html; null when it has neither. */
  contentSize: number | null;
}

/** Its html, or its text where it has no html, and the attachments that html may show. */
export interface LinkedContent {
  html: string | null;
  text: string | null;
  inline: { position: number; contentId: string }[];
}

/** Which attachments of an email: `after` or `before` this position, the nearest to it first. */
export interface AttachmentPage {
  direction: 'after' | 'before';
  position: number;
  limit: number;
}

/** Connections that strangers with links are answered with, however many they are. */
const LINK_CONNECTIONS = 2;
/** Inline files of an email that a page shows. */
const MOST_INLINE = 1_000;

/** No row when the account has no such email; one of nulls when the email has no such attachment. $1: account, $2: email. */
const attachments = (which: string) => `
SELECT a.position, a.filename, a.content_type AS "contentType", a.content_id AS "contentId", a.size
FROM nestjs_emails.emails e LEFT JOIN LATERAL (
  SELECT * FROM nestjs_emails.attachments WHERE email_id = e.id AND position ${which}
) a ON true
WHERE e.account_id = $1 AND e.id = $2`;

const AFTER = attachments('> $3::integer ORDER BY position LIMIT $4::integer');
const BEFORE = attachments('< $3::integer ORDER BY position DESC LIMIT $4::integer');
const ONE = attachments('= $3::integer');

const LINKED_ATTACHMENT = `
SELECT e.account_id AS "accountId", a.filename, a.content_type AS "contentType", a.content_hash AS "contentHash", a.size
FROM nestjs_emails.emails e JOIN nestjs_emails.attachments a ON a.email_id = e.id
WHERE e.id = $1 AND a.position = $2`;

const LINKED_EMAIL = `
SELECT account_id AS "accountId", from_mailbox AS "from", to_json(to_mailboxes) AS "to", to_json(cc_mailboxes) AS cc,
  subject,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' AS "createdAt",
  octet_length(coalesce(html, text)) AS "contentSize"
FROM nestjs_emails.emails WHERE id = $1`;

const LINKED_CONTENT = `
SELECT html, CASE WHEN html IS NULL THEN text END AS text, (
  SELECT coalesce(json_agg(json_build_object('position', position, 'contentId', content_id)), '[]') FROM (
    SELECT position, content_id FROM nestjs_emails.attachments
    WHERE email_id = e.id AND content_id IS NOT NULL ORDER BY position LIMIT ${MOST_INLINE}) AS named
) AS inline
FROM nestjs_emails.emails e WHERE id = $1`;

/** What `AttachmentRepository` does, for tests that keep emails elsewhere. */
export type AttachmentStore = Pick<AttachmentRepository, keyof AttachmentRepository>;

/** The attachments of emails, and what links lead to. Of links, the caller knows whether the account is the right one. */
@Injectable()
export class AttachmentRepository {
  private readonly linkConnections = new Semaphore(LINK_CONNECTIONS);

  constructor(private readonly dataSource: DataSource) {}

  /** In the order of the page; undefined when the account has no such email. */
  async page(
    accountId: string,
    emailId: string,
    { direction, position, limit }: AttachmentPage,
  ): Promise<StoredAttachment[] | undefined> {
    return this.find(direction === 'after' ? AFTER : BEFORE, [accountId, emailId, position, limit]);
  }

  /** None or one; undefined when the account has no such email. */
  one(accountId: string, emailId: string, position: number): Promise<StoredAttachment[] | undefined> {
    return this.find(ONE, [accountId, emailId, position]);
  }

  linkedAttachment(emailId: string, position: number): Promise<LinkedAttachment | undefined> {
    return this.linked(LINKED_ATTACHMENT, [emailId, position]);
  }

  linkedEmail(emailId: string): Promise<LinkedEmail | undefined> {
    return this.linked(LINKED_EMAIL, [emailId]);
  }

  linkedContent(emailId: string): Promise<LinkedContent | undefined> {
    return this.linked(LINKED_CONTENT, [emailId]);
  }

  private async find(sql: string, values: unknown[]): Promise<StoredAttachment[] | undefined> {
    const rows: (StoredAttachment | { position: null })[] = await this.dataSource.query(sql, values);
    if (rows.length === 0) return undefined;
    return rows.filter((row): row is StoredAttachment => row.position !== null);
  }

  private linked<Row>(sql: string, values: unknown[]): Promise<Row | undefined> {
    return this.linkConnections.run(async () => {
      const rows: Row[] = await this.dataSource.query(sql, values);
      return rows[0];
    });
  }
}
