import { text } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';

/** Why an email of a batch was not accepted. */
export class BatchErrorDto {
  @AnswerField({ schema: { type: 'integer', minimum: 0 }, description: 'The position of the email in the request.' })
  index!: number;

  @AnswerField({ schema: text })
  message!: string;
}
