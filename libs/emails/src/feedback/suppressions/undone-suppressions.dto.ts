import { schema } from '../../shared/openapi/components.js';
import { AnswerField } from '../../shared/validation/field.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { ListedSuppressionDto } from './listed-suppression.dto.js';

/** Answer to `POST /suppressions/undo`. */
export class UndoneSuppressionsDto {
  @AnswerField({ schema: { type: 'integer' }, description: 'How many were removed; with `dry_run`, would be.' })
  removed!: number;

  @AnswerField({
    each: ListedSuppressionDto,
    schema: { items: schema('ListedSuppression'), maxItems: FEEDBACK_LIMITS.undoShown.max },
    description: 'The first of them.',
  })
  data!: ListedSuppressionDto[];
}
