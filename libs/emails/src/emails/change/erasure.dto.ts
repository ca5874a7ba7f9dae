import { constant, uuid, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** The erasure of a person. */
export class ErasureDto {
  @AnswerField({ schema: constant('erasure') })
  object!: 'erasure';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({
    schema: words(['running', 'finished']),
    description: '`running` until everything about the person that must go is erased.',
  })
  status!: 'running' | 'finished';
}
