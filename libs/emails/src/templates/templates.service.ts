import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type QueryDeepPartialEntity } from 'typeorm';
import { type PageQuery, toPageRequest } from '../shared/http/page-query.js';
import { AccountRows, given } from '../shared/rows/account-rows.js';
import { type ListEnvelope, toEnvelope } from '../shared/rows/page.js';
import { refuseTaken } from '../shared/rows/refuse-taken.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { readTemplate } from './read-template.js';
import type { TemplateVariable, TemplateVariableRecord } from './read-template-variables.js';
import { TemplateEntity } from './template.entity.js';
import { newTemplate, templateChanges } from './template.fields.js';
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
export interface TemplateFields {
  name?: string | null | undefined;
  alias?: string | null | undefined;
  /** One mailbox. */
  from?: string | null | undefined;
  subject?: string | null | undefined;
  /** Up to 50, one in each text. */
  reply_to?: string | readonly string[] | null | undefined;
  html?: string | null | undefined;
  /** Empty: no text part is derived from `html` (contract, section 2.1). */
  text?: string | null | undefined;
  /** Up to 50, each named once. */
  variables?: readonly TemplateVariable[] | null | undefined;
}

/** A template that is to be made. */
export interface NewTemplate extends TemplateFields {
  /** One line of 1 to 255 characters. */
  name: string;
}

/** The same once it was read. */
type KnownFields = Omit<TemplateFields, 'reply_to' | 'variables'> & {
  reply_to?: string[] | null | undefined;
  variables?: TemplateVariableRecord[] | null | undefined;
};

/** A draft is up to a megabyte, so that a page of them has to be weighed. */
const WEIGHT = 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)';

/** Made of the row itself, as it is when it is written. */
const DRAFT = `jsonb_build_object('from', from_mailbox, 'subject', subject, 'replyTo', reply_to_mailboxes, 'html', html,
  'text', text, 'variables', variables)`;

const ALIAS_TAKEN = '`alias` is the alias of another template. Choose another one.';

/**
 * The templates of the accounts, found by id or alias, by the rules of `/templates`. Changes are made to a draft; what emails are made from is the
 * draft as it was when it was published last. What is undefined here does not exist in the account. A
 * value that breaks a rule is refused with an `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class TemplatesService {
  private readonly templates: AccountRows<TemplateEntity>;

  constructor(dataSource: DataSource) {
    this.templates = new AccountRows(dataSource, TemplateEntity);
  }

  /** @throws ApiError 422 when the alias is taken */
  async create(accountId: string, fields: NewTemplate): Promise<TemplateRecord> {
    checkAccountId(accountId);
    return this.insert(accountId, readTemplate(fields, newTemplate));
  }

  /** The account's templates, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<TemplateRecord>> {
    checkAccountId(accountId);
    const page = toPageRequest(query);
    return toEnvelope(await this.templates.page(accountId, page, { weight: WEIGHT }), shown);
  }

  /** The template with this id or alias. */
  async find(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    checkAccountId(accountId);
    const template = await this.templates.find(accountId, templateKey(idOrAlias));
    return template && shown(template);
  }

  /**
   * Changes the draft. Name and alias have no versions: they count at once.
   *
   * @throws ApiError 422 when the alias is taken
   */
  async update(accountId: string, idOrAlias: string, fields: TemplateFields): Promise<TemplateRecord | undefined> {
    checkAccountId(accountId);
    const changes = columnsOf(readTemplate(fields, templateChanges));
    const touched = Object.keys(changes).length > 0 && { updatedAt: () => 'now()' };
    return refuseTaken(this.change(accountId, idOrAlias, { ...changes, ...touched }), ALIAS_TAKEN);
  }

  /** Makes the draft, as it is now, the version that is sent. */
  async publish(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    checkAccountId(accountId);
    return this.change(accountId, idOrAlias, { publishedAt: () => 'now()', published: () => DRAFT });
  }

  /** A new draft with the name and content of another one, without alias. */
  async duplicate(accountId: string, idOrAlias: string): Promise<TemplateRecord | undefined> {
    const template = await this.find(accountId, idOrAlias);
    return template && this.insert(accountId, { ...template, alias: null });
  }

  /**
   * Emails that were accepted keep what they were made of.
   *
   * @returns the id
   */
  async remove(accountId: string, idOrAlias: string): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.templates.remove(accountId, templateKey(idOrAlias));
  }

  private async insert(accountId: string, fields: KnownFields & { name: string }): Promise<TemplateRecord> {
    const template = { id: randomUUID(), accountId, ...columnsOf(fields) };
    return shown(await refuseTaken(this.templates.insert(template), ALIAS_TAKEN));
  }

  private async change(
    accountId: string,
    idOrAlias: string,
    changes: QueryDeepPartialEntity<TemplateEntity>,
  ): Promise<TemplateRecord | undefined> {
    const template = await this.templates.change(accountId, templateKey(idOrAlias), changes);
    return template && shown(template);
  }
}

function columnsOf({ name, alias, from, subject, reply_to, html, text, variables }: KnownFields) {
  return given({
    name: name ?? undefined,
    alias,
    from,
    subject,
    replyTo: reply_to === null ? [] : reply_to,
    html,
    text,
    variables: variables === null ? [] : variables,
  });
}

function shown(template: TemplateEntity): TemplateRecord {
  const { id, name, alias, from, subject, replyTo, html, text, variables } = template;
  return {
    object: 'template',
    id,
    name,
    alias,
    status: template.publishedText === null ? 'draft' : 'published',
    from,
    subject,
    reply_to: replyTo,
    html,
    text,
    variables,
    created_at: template.createdText,
    updated_at: template.updatedText,
    published_at: template.publishedText,
  };
}
