import { Injectable } from '@nestjs/common';
import type { PublishedTemplate, TemplateSource } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import type { TemplateVariableRecord } from './read-template-variables.js';
import { templateKey } from './template-key.js';

/** A version as `TemplatesService` publishes it. */
interface Published extends Omit<PublishedTemplate, 'variables'> {
  variables: readonly TemplateVariableRecord[];
}

/** Hands the library the version that was published last; drafts are as good as absent. */
@Injectable()
export class PublishedTemplateSource implements TemplateSource {
  constructor(private readonly dataSource: DataSource) {}

  async find(accountId: string, idOrAlias: string): Promise<PublishedTemplate | undefined> {
    const key = templateKey(idOrAlias);
    if (key === undefined) {
      return undefined;
    }
    const [row] = await this.dataSource.query<{ published: Published | null }[]>(
      `SELECT published FROM templates WHERE account_id = $1 AND ${key.column} = $2`,
      [accountId, key.value],
    );
    return row?.published ? toPublishedTemplate(row.published) : undefined;
  }
}

function toPublishedTemplate({ variables, ...content }: Published): PublishedTemplate {
  return {
    ...content,
    variables: variables.map(({ key, type, fallback_value }) => ({ key, type, fallback: fallback_value })),
  };
}
