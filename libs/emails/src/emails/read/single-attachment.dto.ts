import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { SentAttachmentDto } from './sent-attachment.dto.js';

/** An attachment that was asked for alone. */
export class SingleAttachmentDto extends SentAttachmentDto {
  @AnswerField({ schema: constant('attachment') })
  object!: 'attachment';
}
