import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Recording } from '../shared/actions/recorded.js';
import type { Caller } from '../shared/callers/caller.js';
import type { PageQueryDto } from '../shared/http/page-query.dto.js';
import { toPageRequest } from '../shared/http/page-query.js';
import { askedBy, given } from '../shared/rows/account.repository.js';
import { arrayBytes } from '../shared/rows/array-bytes.js';
import { toEnvelope } from '../shared/rows/page.js';
import { refuseDuplicate } from '../shared/rows/refuse-duplicate.js';
import { checkAccountId } from '../shared/text/account-id.js';
import type { Given } from '../shared/validation/given.js';
import { checkRepeated, isSameId, type Repeated, repeatsAny } from '../shared/validation/repeated.js';
import type { CreateTemplateDto } from './create-template.dto.js';
import type { KnownVariable } from './known-variables.js';
import { readNewTemplate, readTemplateChanges } from './read-template.js';
import { draftOf, TemplateEntity } from './template.entity.js';
import { templateKey } from './template-key.js';
import type { TemplateListDto } from './template-list.dto.js';
import type { TemplateRecordDto } from './template-record.dto.js';
import { shownTemplate as shown } from './template-record.js';
import { TemplatesRepository } from './templates.repository.js';
import type { UpdateTemplateDto } from './update-template.dto.js';

/** Undefined: as it is. Null: nothing. An empty text: as it is. */
export type TemplateChanges = Given<UpdateTemplateDto>;

/** A template to create. */
export type NewTemplate = Given<CreateTemplateDto, 'name'>;

/** Fields of a draft. */
type DraftFields = Omit<UpdateTemplateDto, 'id' | 'template_id' | 'variables'> & {
  variables?: KnownVariable[] | null | undefined;
};

/** The caller of a change, and the record of it. */
type Asked = Pick<Recording, 'caller' | 'action' | 'id'>;

/** Bytes of a draft's fields: over a megabyte, so that a page of drafts has to be measured. */
const WEIGHT = `octet_length(concat(name, alias, from_mailbox, subject)) + ${arrayBytes('reply_to_mailboxes')}
  + coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0) + 3 * octet_length(variables::text)`;

/** Computed in SQL from the row at the time of the write. */
const DRAFT = draftOf('templates');

const ALIAS_IN_USE = '`alias` is the alias of another template. Choose another one.';

/**
 * The templates of the accounts, found by id or alias, by the rules of `/templates`. Changes apply to a draft; emails
 * are made from the last published version. Methods resolve to undefined for a template that the account does not have.
 * A value that breaks a rule is refused with an `ApiError`, an invalid account id with a `TypeError`.
 *
 * @example
 * ```ts
 * const templates = app.get(TemplatesService);
 * const { id } = await templates.create('acme', { name: 'Welcome', alias: 'welcome', html: '<p>Hello {{NAME}}</p>' });
 * await templates.publish('acme', id);
 * ```
 */
@Injectable()
export class TemplatesService {
  constructor(private readonly templates: TemplatesRepository) {}

  /** @throws ApiError 422 when another template has the alias */
  async create(accountId: string, fields: NewTemplate, caller?: Caller): Promise<TemplateRecordDto> {
    checkAccountId(accountId);
    return this.insert(accountId, readNewTemplate(fields), { caller, action: 'template.create' });
  }

  /** The account's templates, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQueryDto = {}): Promise<TemplateListDto> {
    checkAccountId(accountId);
    const page = toPageRequest(query);
    return toEnvelope(await this.templates.page(accountId, page, { weight: WEIGHT }), shown);
  }

  /** The template with this id or alias. */
  async find(accountId: string, idOrAlias: string): Promise<TemplateRecordDto | undefined> {
    checkAccountId(accountId);
    const template = await this.templates.find(accountId, templateKey(idOrAlias));
    return template && shown(template);
  }

  /**
   * Changes the draft. Name and alias have no versions: they take effect at once.
   *
   * @throws ApiError 422 when another template has the alias
   */
  async update(
    accountId: string,
    idOrAlias: string,
    fields: TemplateChanges,
    caller?: Caller,
  ): Promise<TemplateRecordDto | undefined> {
    checkAccountId(accountId);
    const { id, template_id, ...changed } = readTemplateChanges(fields);
    await this.checkRepeated(accountId, idOrAlias, { id, template_id });
    const changes = columnsOf(changed);
    const touched = Object.keys(changes).length > 0 && { updatedAt: () => 'now()' };
    const asked = { caller: askedBy(caller, changes), action: 'template.update' } as const;
    return refuseDuplicate(this.change(accountId, idOrAlias, { ...changes, ...touched }, asked), ALIAS_IN_USE);
  }

  /** Makes the draft, as it is now, the version that is sent. */
  async publish(accountId: string, idOrAlias: string, caller?: Caller): Promise<TemplateRecordDto | undefined> {
    checkAccountId(accountId);
    const published = { publishedAt: () => 'now()', published: () => DRAFT };
    return this.change(accountId, idOrAlias, published, { caller, action: 'template.publish' });
  }

  /** A new draft with the name and content of another one, without alias. */
  async duplicate(accountId: string, idOrAlias: string, caller?: Caller): Promise<TemplateRecordDto | undefined> {
    checkAccountId(accountId);
    const template = await this.templates.find(accountId, templateKey(idOrAlias));
    if (!template) return undefined;
    const copy = { ...template, reply_to: template.replyTo, alias: null };
    return this.insert(accountId, copy, { caller, action: 'template.duplicate', id: template.id });
  }

  /**
   * Deletes the template. Accepted emails keep their content.
   *
   * @returns the id
   */
  async remove(accountId: string, idOrAlias: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.templates.recorded(caller, 'template.delete', (manager) =>
      this.templates.remove(accountId, templateKey(idOrAlias), manager),
    );
  }

  private async checkRepeated(accountId: string, idOrAlias: string, repeated: Repeated): Promise<void> {
    const template = repeatsAny(repeated) && (await this.find(accountId, idOrAlias));
    if (template) checkRepeated(repeated, (text) => text === template.alias || isSameId(template.id)(text));
  }

  private async insert(
    accountId: string,
    fields: DraftFields & { name: string },
    { caller, action, id }: Asked,
  ): Promise<TemplateRecordDto> {
    const template = { id: randomUUID(), accountId, ...columnsOf(fields) };
    const insert = (manager?: EntityManager) => this.templates.insert(template, manager);
    return shown(await refuseDuplicate(this.templates.recorded(caller, action, insert, id), ALIAS_IN_USE));
  }

  private async change(
    accountId: string,
    idOrAlias: string,
    changes: QueryDeepPartialEntity<TemplateEntity>,
    { caller, action }: Asked,
  ): Promise<TemplateRecordDto | undefined> {
    const template = await this.templates.recorded(caller, action, (manager) =>
      this.templates.change(accountId, templateKey(idOrAlias), changes, manager),
    );
    return template && shown(template);
  }
}

function columnsOf({ name, alias, from, subject, reply_to, html, text, variables, sensitive }: DraftFields) {
  return given({
    name: name ?? undefined,
    alias,
    from,
    subject,
    replyTo: reply_to === null ? [] : reply_to,
    html,
    text,
    variables: variables === null ? [] : variables,
    sensitive: sensitive === null ? false : sensitive,
  });
}
