import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An email that was changed. */
export class ChangedEmailDto {
  @AnswerField({ schema: constant('email') })
  object!: 'email';

  @AnswerField({ schema: uuid })
  id!: string;
}
