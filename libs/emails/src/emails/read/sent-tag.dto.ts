import { text } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** A tag of an email that was sent. */
export class SentTagDto {
  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: text })
  value!: string;
}
