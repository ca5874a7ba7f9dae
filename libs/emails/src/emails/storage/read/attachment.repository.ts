import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindManyOptions, LessThan, MoreThan, type Repository } from 'typeorm';
import { findRows } from '../../../shared/rows/find-rows.js';
import { onMaster } from '../../../shared/rows/on-master.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import { AttachmentEntity } from '../entities/attachment.entity.js';
import { EmailEntity } from '../entities/email.entity.js';
import { isShown } from './email.sql.js';

/** An attachment of an email, without its bytes. */
export interface StoredAttachment {
  position: number;
  filename: string | null;
  contentType: string;
  contentId: string | null;
  /** Bytes before base64. */
  size: number;
}

/** The target of a link to an attachment. */
export interface LinkedAttachment {
  accountId: string;
  filename: string | null;
  contentType: string;
  contentHash: string;
  size: number;
}

/** The target of a link to an email, without its content. */
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

/** Page of an email's attachments: `after` or `before` this position, the nearest first. */
export interface AttachmentPage {
  direction: 'after' | 'before';
  position: number;
  limit: number;
}

/** Connections that serve links: any number of strangers may use them. */
const LINK_CONNECTIONS = 2;
/** Inline files of an email that a page shows. */
const MAX_INLINE = 1_000;

/** Columns of `StoredAttachment`. */
const STORED = { position: true, filename: true, contentType: true, contentId: true, size: true };

const LINKED_EMAIL = `
SELECT account_id AS "accountId", from_mailbox AS "from", to_json(to_mailboxes) AS "to", to_json(cc_mailboxes) AS cc,
  subject,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' AS "createdAt",
  octet_length(coalesce(html, text)) AS "contentSize"
FROM nestjs_emails.emails e WHERE id = $1 AND ${isShown('e')}`;

const LINKED_CONTENT = `
SELECT html, CASE WHEN html IS NULL THEN text END AS text, (
  SELECT coalesce(json_agg(json_build_object('position', position, 'contentId', content_id)), '[]') FROM (
    SELECT position, content_id FROM nestjs_emails.attachments
    WHERE email_id = e.id AND content_id IS NOT NULL ORDER BY position LIMIT ${MAX_INLINE}) AS named
) AS inline
FROM nestjs_emails.emails e WHERE id = $1 AND ${isShown('e')}`;

/** The methods of `AttachmentRepository`, for tests with another storage. */
export type AttachmentStore = Pick<AttachmentRepository, keyof AttachmentRepository>;

/** Attachments of emails, and targets of links. The caller checks that a link's account is the right one. */
@Injectable()
export class AttachmentRepository {
  private readonly linkConnections = new Semaphore(LINK_CONNECTIONS);

  constructor(@InjectRepository(AttachmentEntity) private readonly attachments: Repository<AttachmentEntity>) {}

  /** In the order of the page, none of a sensitive email; undefined when the account has no such email. */
  page(
    accountId: string,
    emailId: string,
    { direction, position, limit }: AttachmentPage,
  ): Promise<StoredAttachment[] | undefined> {
    const isAfter = direction === 'after';
    return this.find(accountId, emailId, {
      where: { emailId, position: isAfter ? MoreThan(position) : LessThan(position) },
      order: { position: isAfter ? 'ASC' : 'DESC' },
      take: limit,
    });
  }

  /** One or none, none of a sensitive email; undefined when the account has no such email. */
  one(accountId: string, emailId: string, position: number): Promise<StoredAttachment[] | undefined> {
    return this.find(accountId, emailId, { where: { emailId, position } });
  }

  /** Undefined when the account has no such email. */
  isSensitive(accountId: string, emailId: string): Promise<boolean | undefined> {
    return this.onMaster((manager) => sensitivityOf(manager, accountId, emailId));
  }

  linkedAttachment(emailId: string, position: number): Promise<LinkedAttachment | undefined> {
    return this.linkConnections.run(() =>
      this.onMaster(async (manager) => {
        // Not `findOne`, which sends two queries for a join.
        const [found] = await findRows(manager.getRepository(AttachmentEntity), {
          relations: { email: true },
          select: {
            emailId: true,
            position: true,
            filename: true,
            contentType: true,
            contentHash: true,
            size: true,
            email: { id: true, accountId: true, sensitive: true },
          },
          where: { emailId, position },
        });
        if (!found?.email || found.email.sensitive) return undefined;
        const { filename, contentType, contentHash, size, email } = found;
        return { accountId: email.accountId, filename, contentType, contentHash, size };
      }),
    );
  }

  linkedEmail(emailId: string): Promise<LinkedEmail | undefined> {
    return this.linked(LINKED_EMAIL, emailId);
  }

  linkedContent(emailId: string): Promise<LinkedContent | undefined> {
    return this.linked(LINKED_CONTENT, emailId);
  }

  private find(
    accountId: string,
    emailId: string,
    options: FindManyOptions<AttachmentEntity>,
  ): Promise<StoredAttachment[] | undefined> {
    return this.onMaster(async (manager) => {
      const isSensitive = await sensitivityOf(manager, accountId, emailId);
      if (isSensitive === undefined) return undefined;
      if (isSensitive) return [];
      return findRows(manager.getRepository(AttachmentEntity), { select: STORED, ...options });
    });
  }

  private linked<Row>(sql: string, emailId: string): Promise<Row | undefined> {
    return this.linkConnections.run(async () => {
      const rows: Row[] = await this.attachments.query(sql, [emailId]);
      return rows[0];
    });
  }

  private onMaster<T>(read: (manager: EntityManager) => Promise<T>): Promise<T> {
    return onMaster(this.attachments.manager.connection, read);
  }
}

async function sensitivityOf(manager: EntityManager, accountId: string, id: string): Promise<boolean | undefined> {
  const select = { id: true, sensitive: true };
  const [email] = await findRows(manager.getRepository(EmailEntity), { select, where: { id, accountId } });
  return email && email.sensitive === true;
}
