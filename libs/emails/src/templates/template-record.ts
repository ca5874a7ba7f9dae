import { v5 as nameBasedUuid } from 'uuid';
import type { TemplateVariableRecord } from './read-template-variables.js';
import type { TemplateEntity } from './template.entity.js';

/** A template in an answer: its draft, also once a version is published. */
export interface TemplateRecord {
  object: 'template';
  id: string;
  name: string;
  alias: string | null;
  /** `published`: some version is, and `has_unpublished_versions` says whether the draft differs from it. */
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
  /** Of the content of the draft: another content has another one. */
  current_version_id: string;
  /** The draft is not what is published; true also when nothing is. */
  has_unpublished_versions: boolean;
}

/**
 * A template in an answer. The ids of its content and of its variables are made of the template's own and of what they name:
 * they are the same whichever version of the program wrote the row.
 */
export function shownTemplate(template: TemplateEntity): TemplateRecord {
  const { id, name, alias, from, subject, replyTo, html, text, variables } = template;
  const times = { created_at: template.createdText, updated_at: template.updatedText };
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
    ...times,
    published_at: template.publishedText,
    current_version_id: nameBasedUuid(Buffer.from(JSON.stringify([from, subject, replyTo, html, text, variables])), id),
    has_unpublished_versions: template.isUnpublished,
  };
}
