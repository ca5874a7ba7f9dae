import type { Type } from '@nestjs/common';
import { readChanges } from '../shared/http/read-fields.js';
import { readTemplateVariables } from './read-template-variables.js';
import type { TemplateContentDto } from './template-content.dto.js';

/**
 * The body of a creation or a change: what is emptied on creation is as good as not named.
 *
 * @throws ApiError for the first rule that is broken
 */
export async function readTemplate<Dto extends TemplateContentDto>(body: object, type: Type<Dto>): Promise<Dto> {
  const { reply_to: replyTo, text } = body as TemplateContentDto;
  const fields = typeof replyTo === 'string' && replyTo !== '' ? { ...body, reply_to: [replyTo] } : body;
  const dto = await readChanges(fields, type);
  if (text === '') dto.text = '';
  if (dto.variables) dto.variables = await readTemplateVariables(dto.variables);
  return dto;
}
