import { schema } from '../../shared/openapi/components.js';
import { AnswerField } from '../../shared/validation/field.js';
import { RemovedSuppressionDto } from './removed-suppression.dto.js';

/** Answer to `POST /suppressions/batch/remove`. */
export class RemovedSuppressionsDto {
  @AnswerField({
    each: RemovedSuppressionDto,
    schema: { items: schema('RemovedSuppression') },
    description: 'Those that were there: not aligned with the request.',
  })
  data!: RemovedSuppressionDto[];
}
