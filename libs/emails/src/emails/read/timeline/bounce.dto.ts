import { text, words } from '../../../shared/openapi/shapes.js';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import { BOUNCE_SUB_TYPES, BOUNCE_TYPES } from '../../../shared/replies/bounce.js';
import { AnswerField } from '../../../shared/validation/field.js';

/** A bounce (contract, section 3.4). */
export class BounceDto {
  @AnswerField({ schema: words(BOUNCE_TYPES) })
  type!: BounceKind['type'];

  @AnswerField({ schema: words(BOUNCE_SUB_TYPES) })
  subType!: BounceKind['subType'];

  @AnswerField({ schema: text })
  message!: string;

  @AnswerField({
    schema: { type: 'array', items: text },
    description: 'The reply of the server, if any, with `smtp; ` before it.',
  })
  diagnosticCode!: string[];
}
