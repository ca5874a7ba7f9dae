import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PublishedTemplate, TemplateSource } from '../index.js';
import { onMaster } from '../shared/rows/on-master.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { type PublishedContent, TemplateEntity } from './template.entity.js';
import { templateKey } from './template-key.js';

/** As an object, because the types of TypeORM 0.3 take a column of JSON for a relation. */
const PUBLISHED: object = { id: true, published: true };

/** Hands the library the version that was published last; drafts are as good as absent. */
@Injectable()
export class PublishedTemplateSource implements TemplateSource {
  constructor(private readonly dataSource: DataSource) {}

  async find(accountId: string, idOrAlias: string): Promise<PublishedTemplate | undefined> {
    checkAccountId(accountId);
    const key = templateKey(idOrAlias);
    if (!key) return undefined;
    const template = await onMaster(this.dataSource, (manager) =>
      manager.findOne(TemplateEntity, { select: PUBLISHED, where: { ...key, accountId } }),
    );
    return template?.published ? toPublishedTemplate(template.published) : undefined;
  }
}

function toPublishedTemplate({ variables, ...content }: PublishedContent): PublishedTemplate {
  return {
    ...content,
    variables: variables.map(({ key, type, fallback_value }) => ({ key, type, fallback: fallback_value })),
  };
}
