import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An action that was accepted. */
export class StartedActionDto {
  @AnswerField({ schema: constant('email_action') })
  object!: 'email_action';

  @AnswerField({ schema: uuid })
  id!: string;
}
