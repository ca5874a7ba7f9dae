import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** A suppression that was removed. */
export class RemovedSuppressionDto {
  @AnswerField({ schema: constant('suppression') })
  object!: 'suppression';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: constant(true) })
  deleted!: true;
}
