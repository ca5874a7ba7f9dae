import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** A key that was just made. */
export class NewApiKeyDto {
  @AnswerField({ schema: constant('api_key') })
  object!: 'api_key';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: { type: 'string', pattern: '^re_' }, description: 'Shown only now.' })
  token!: string;
}
