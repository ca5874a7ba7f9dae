import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** Answer to a change of a domain. */
export class ChangedDomainDto {
  @AnswerField({ schema: constant('domain') })
  object!: 'domain';

  @AnswerField({ schema: uuid })
  id!: string;
}
