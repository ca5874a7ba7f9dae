import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An email that everyone with the link can read. */
export class SharedEmailDto {
  @AnswerField({ schema: constant('email') })
  object!: 'email';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: { type: 'string', format: 'uri' } })
  url!: string;
}
