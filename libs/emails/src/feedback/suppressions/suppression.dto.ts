import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { ListedSuppressionDto } from './listed-suppression.dto.js';

/** A suppression. */
export class SuppressionDto extends ListedSuppressionDto {
  @AnswerField({ schema: constant('suppression') })
  object!: 'suppression';
}
