import { Injectable } from '@nestjs/common';
import type { ListEnvelope, PageRequest } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { AccountRows, type RowValues } from '../shared/rows/account-rows.js';
import { timestampSql } from '../shared/rows/list-page.js';
import { refuseTaken } from '../shared/rows/refuse-taken.js';
import type { TemplateVariableRecord } from './read-template-variables.js';
import type { TemplateContentDto } from './template-content.dto.js';
import { templateKey } from './template-key.js';

/** A template in an answer: its draft, also once a version is published. */
export interface TemplateRecord {
  object: 'template';
  id: string;
  name: string;
  alias: string | null;
  /** `published`: some version is; when `updated_at` is later than `published_at`, the draft differs from it. */
  status: 'draft' | 'published';
  from: string | null;
  subject: string | null;
  reply_to: string[];
  html: string | null;
  text: string | null;
  variables: TemplateVariableRecord[];
  created_at: string;
  updated_at: string;
  published_at: string | null;
}

/** Undefined: as it is, or nothing. Null: nothing. */
export type TemplateFields = TemplateContentDto & { name?: string | null };

const TEMPLATES = {
  table: 'templates',
  columns: `'template' AS object, id, name, alias,
    CASE WHEN published_at IS NULL THEN 'draft' ELSE 'published' END AS status,
    from_mailbox AS "from", subject, reply_to_mailboxes AS reply_to, html, text, variables,
    ${timestampSql('created_at')} AS created_at, ${timestampSql('updated_at')} AS updated_at,
    ${timestampSql('published_at')} AS published_at`,
  changedAt: 'updated_at',
  weight: 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)',
};

const PUBLISH = `UPDATE templates
  SET published_at = now(), published = jsonb_build_object(
    'from', from_mailbox, 'subject', subject, 'replyTo', reply_to_mailboxes, 'html', html, 'text', text,
    'variables', variables)
  WHERE id = $1 AND account_id = $2 RETURNING ${TEMPLATES.columns}`;

const ALIAS_TAKEN = '`alias` is the alias of another template. Choose another one.';

/**
 * The templates of the accounts, found by id or alias. Changes are made to a draft; what emails are made from is the
 * draft as it was when it was published last. What is undefined here does not exist in the account.
 */
@Injectable()
export class TemplatesService {
  private readonly rows: AccountRows<TemplateRecord>;

  constructor(private readonly dataSource: DataSource) {
    this.rows = new AccountRows(dataSource, TEMPLATES);
  }

  /** @throws ApiError 422 when the alias is taken */
  create(accountId: string, fields: TemplateFields): Promise<TemplateRecord> {
    return refuseTaken(this.rows.insert(accountId, columnsOf(fields)), ALIAS_TAKEN);
  }

  list(accountId: string, page: PageRequest): Promise<ListEnvelope<TemplateRecord>> {
    return this.rows.list(accountId, page);
  }

  find(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    return this.rows.find(accountId, templateKey(idOrAlias));
  }

  /**
   * Changes the draft. Name and alias have no versions: they count at once.
   *
   * @throws ApiError 422 when the alias is taken
   */
  update(accountId: string, idOrAlias: string, fields: TemplateFields): Promise<TemplateRecord | undefined> {
    return refuseTaken(this.rows.update(accountId, templateKey(idOrAlias), columnsOf(fields)), ALIAS_TAKEN);
  }

  /** Makes the draft, as it is now, the version that is sent. */
  async publish(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    const template = await this.find(accountId, idOrAlias);
    if (template === undefined) {
      return undefined;
    }
    const [rows] = await this.dataSource.query<[TemplateRecord[], number]>(PUBLISH, [template.id, accountId]);
    return rows[0];
  }

  /** A new draft with the name and content of another one, without alias. */
  async duplicate(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    const template = await this.find(accountId, idOrAlias);
    return template && this.rows.insert(accountId, columnsOf({ ...template, alias: null }));
  }

  /**
   * Emails that were accepted keep what they were made of.
   *
   * @returns the id
   */
  remove(accountId: string, idOrAlias: string): Promise<string | undefined> {
    return this.rows.remove(accountId, templateKey(idOrAlias));
  }
}

function columnsOf({ name, alias, from, subject, reply_to, html, text, variables }: TemplateFields): RowValues {
  return {
    name: name ?? undefined,
    alias,
    from_mailbox: from,
    subject,
    reply_to_mailboxes: reply_to === null ? [] : reply_to,
    html,
    text,
    variables: variables === undefined ? undefined : JSON.stringify(variables ?? []),
  };
}
