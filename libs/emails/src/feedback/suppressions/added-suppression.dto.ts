import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** A suppression that was added, or was there. */
export class AddedSuppressionDto {
  @AnswerField({ schema: constant('suppression') })
  object!: 'suppression';

  @AnswerField({ schema: uuid })
  id!: string;
}
