import { IsOptional } from 'class-validator';
import { constant, uuid, uuidOrNull } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { EMAIL_PRIORITIES, type EmailPriority } from '../states/email-priorities.js';
import { EmailDto } from './email.dto.js';
import { HeldDto } from './held.dto.js';
import { SentTagDto } from './sent-tag.dto.js';

/** An email by itself (contract, section 3.2). */
export class EmailDetailsDto extends EmailDto {
  @AnswerField({ each: SentTagDto })
  tags!: SentTagDto[];

  @AnswerField({ schema: uuidOrNull })
  topic_id!: string | null;

  @AnswerField({ schema: { enum: [...EMAIL_PRIORITIES] }, description: 'The lane that it waits in.' })
  priority!: EmailPriority;

  @AnswerField({ schema: uuid, description: 'The email that was sent again as this one.' })
  @IsOptional()
  resent_from?: string;

  @AnswerField({
    schema: constant(true),
    description: 'It was accepted without html, text and attachments, unlike one whose content was cleared.',
  })
  @IsOptional()
  no_content?: true;

  @AnswerField({
    schema: constant(true),
    description: 'Its content is not shown, and is deleted as soon as nothing is pending.',
  })
  @IsOptional()
  sensitive?: true;

  @AnswerField({ type: HeldDto, description: 'Present while it is paused: it is sent after that.' })
  @IsOptional()
  held?: HeldDto;
}
