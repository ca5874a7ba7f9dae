import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { EmailReferenceEntity } from './email-reference.entity.js';

/** Days for which a reference is kept, as long as a return path is valid. */
const KEPT = 45;

/** A name of an email. */
export interface EmailReference {
  kind: 'message' | 'relay';
  text: string;
}

/** Old references are deleted as new ones come, so that no timer is needed: up to twice as many. */
const NOTE = `
WITH old AS (
  SELECT hash, email_id FROM nestjs_emails.email_references WHERE noted_at < now() - interval '${KEPT} days'
  ORDER BY noted_at LIMIT 2 * cardinality($1::bytea[]) FOR UPDATE SKIP LOCKED
),
deleted AS (
  DELETE FROM nestjs_emails.email_references r USING old WHERE r.hash = old.hash AND r.email_id = old.email_id
)
INSERT INTO nestjs_emails.email_references (hash, email_id)
SELECT * FROM unnest($1::bytea[], $2::uuid[]) ON CONFLICT DO NOTHING`;
const FIND = 'SELECT email_id AS id FROM nestjs_emails.email_references WHERE hash = $1 LIMIT 2';

/** Other names of emails, for the reports of relays. */
@Injectable()
export class EmailReferences {
  constructor(@InjectRepository(EmailReferenceEntity) private readonly rows: Repository<EmailReferenceEntity>) {}

  /** Within the transaction of `manager`. */
  async note(manager: EntityManager, noted: readonly (EmailReference & { emailId: string })[]): Promise<void> {
    if (noted.length === 0) return;
    await manager.query(NOTE, [noted.map(hashOf), noted.map(({ emailId }) => emailId)]);
  }

  /** The email's id; undefined for an unknown name, and for one of several emails. */
  async find(reference: EmailReference): Promise<string | undefined> {
    const found: { id: string }[] = await this.rows.query(FIND, [hashOf(reference)]);
    return found.length === 1 ? found[0]?.id : undefined;
  }
}

function hashOf({ kind, text }: EmailReference): Buffer {
  return createHash('sha256').update(`${kind}:${text}`).digest();
}
