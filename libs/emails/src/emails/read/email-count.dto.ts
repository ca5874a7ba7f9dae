import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** The number of emails that match filters. */
export class EmailCountDto {
  @AnswerField({ schema: constant('email_count') })
  object!: 'email_count';

  @AnswerField({ schema: { type: 'integer' } })
  count!: number;
}
