import { IsOptional } from 'class-validator';
import { uuidOrNull } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { EmailDto } from './email.dto.js';
import { SentTagDto } from './sent-tag.dto.js';

/** An email in a list; with `fields=summary` it has the optional fields. */
export class ListedEmailDto extends EmailDto {
  @AnswerField({ each: SentTagDto, description: 'With `fields=summary`.' })
  @IsOptional()
  tags?: SentTagDto[];

  @AnswerField({ schema: uuidOrNull, description: 'With `fields=summary`.' })
  @IsOptional()
  topic_id?: string | null;

  @AnswerField({ schema: { type: 'integer' }, description: 'With `fields=summary`: the number of its attachments.' })
  @IsOptional()
  attachments?: number;
}
