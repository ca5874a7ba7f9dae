import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PublishedTemplate, TemplateSource } from '../index.js';
import { findRows } from '../shared/rows/find-rows.js';
import { onMaster } from '../shared/rows/on-master.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { type PublishedContent, TemplateEntity } from './template.entity.js';
import { templateKey } from './template-key.js';

/** An object, because the types of TypeORM 0.3 treat a JSON column as a relation. */
const PUBLISHED: object = { id: true, published: true };

/** Provides the version that was published last; drafts count as absent. */
@Injectable()
export class PublishedTemplateSource implements TemplateSource {
  constructor(private readonly dataSource: DataSource) {}

  async find(accountId: string, idOrAlias: string): Promise<PublishedTemplate | undefined> {
    checkAccountId(accountId);
    const key = templateKey(idOrAlias);
    if (!key) return undefined;
    const [template] = await onMaster(this.dataSource, (manager) =>
      findRows(manager.getRepository(TemplateEntity), { select: PUBLISHED, where: { ...key, accountId } }),
    );
    return template?.published ? toPublishedTemplate(template.id, template.published) : undefined;
  }
}

function toPublishedTemplate(id: string, { variables, ...content }: PublishedContent): PublishedTemplate {
  return {
    id,
    ...content,
    variables: variables.map(({ key, type, fallback_value }) => ({ key, type, fallback: fallback_value })),
  };
}
