import { v5 as nameBasedUuid } from 'uuid';
import type { TemplateEntity } from './template.entity.js';
import type { TemplateRecordDto } from './template-record.dto.js';

/**
 * A template in an answer. The ids of its content and of its variables are derived from the template's id and from the
 * thing that they name: they do not depend on the program version that wrote the row.
 */
export function shownTemplate(template: TemplateEntity): TemplateRecordDto {
  const { id, name, alias, from, subject, replyTo, html, text, variables, sensitive } = template;
  const times = { created_at: template.createdText, updated_at: template.updatedText };
  const content = [from, subject, replyTo, html, text, variables, ...(sensitive ? [sensitive] : [])];
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
    variables: variables.map(({ key, type, fallback_value }) => ({
      id: nameBasedUuid(`variable ${key}`, id),
      key,
      type,
      fallback_value,
      ...times,
    })),
    sensitive,
    ...times,
    published_at: template.publishedText,
    current_version_id: nameBasedUuid(Buffer.from(JSON.stringify(content)), id),
    has_unpublished_versions: template.isUnpublished,
  };
}
