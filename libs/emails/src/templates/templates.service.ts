import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { type PageQuery, toPageRequest } from '../shared/http/page-query.js';
import { AccountRows, given } from '../shared/rows/account-rows.js';
import { arrayBytes } from '../shared/rows/array-bytes.js';
import { type ListEnvelope, toEnvelope } from '../shared/rows/page.js';
import { refuseTaken } from '../shared/rows/refuse-taken.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { checkRepeated, isSameId, type Repeated, repeatsAny } from '../shared/validation/repeated.js';
import { readNewTemplate, readTemplateChanges } from './read-template.js';
import type { KnownVariable, TemplateVariable } from './read-template-variables.js';
import { draftOf, TemplateEntity } from './template.entity.js';
import { templateKey } from './template-key.js';
import { shownTemplate as shown, type TemplateRecord } from './template-record.js';

/** Undefined: as it is, or nothing. Null: nothing. An empty text in a change: as it is. */
export interface TemplateFields {
  name?: string | null | undefined;
  alias?: string | null | undefined;
  /** One mailbox. */
  from?: string | null | undefined;
  subject?: string | null | undefined;
  /** Up to 50, one in each text. */
  reply_to?: string | readonly string[] | null | undefined;
  html?: string | null | undefined;
  /** Empty on creation: no text part is derived from `html` (contract, section 2.1). */
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
  variables?: KnownVariable[] | null | undefined;
};

/** Bytes of all that a caller puts into a draft: over a megabyte, so that a page of them has to be weighed. */
const WEIGHT = `octet_length(concat(name, alias, from_mailbox, subject)) + ${arrayBytes('reply_to_mailboxes')}
  + coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0) + 3 * octet_length(variables::text)`;

/** Made of the row itself, as it is when it is written. */
const DRAFT = draftOf('templates');

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
    return this.insert(accountId, readNewTemplate(fields));
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
    const { id, template_id, ...changed } = readTemplateChanges(fields);
    await this.checkRepeated(accountId, idOrAlias, { id, template_id });
    const changes = columnsOf(changed);
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
    checkAccountId(accountId);
    const template = await this.templates.find(accountId, templateKey(idOrAlias));
    return template && this.insert(accountId, { ...template, reply_to: template.replyTo, alias: null });
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

  private async checkRepeated(accountId: string, idOrAlias: string, said: Repeated): Promise<void> {
    const template = repeatsAny(said) && (await this.find(accountId, idOrAlias));
    if (template) checkRepeated(said, (text) => text === template.alias || isSameId(template.id)(text));
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
