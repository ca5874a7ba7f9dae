import { schema } from '../../shared/openapi/components.js';
import { AnswerField } from '../../shared/validation/field.js';
import { AddedSuppressionDto } from './added-suppression.dto.js';

/** Answer to `POST /suppressions/batch/add`. */
export class AddedSuppressionsDto {
  @AnswerField({
    each: AddedSuppressionDto,
    schema: { items: schema('AddedSuppression') },
    description: 'Each address once: not aligned with the request.',
  })
  data!: AddedSuppressionDto[];
}
