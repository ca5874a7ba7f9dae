import { isoTime, text, textOrNull, timestamp, uuid, uuidOrNull, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { SUPPRESSION_ORIGINS, type SuppressionOrigin } from './suppression-origin.js';

/** A suppression in a list. */
export class ListedSuppressionDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text, description: 'In lower case. `erased@erased.invalid` for an erased person.' })
  email!: string;

  @AnswerField({ schema: words(SUPPRESSION_ORIGINS) })
  origin!: SuppressionOrigin;

  @AnswerField({ schema: uuidOrNull, description: 'The email that caused it.' })
  source_id!: string | null;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: textOrNull, description: "The server's reply." })
  reason!: string | null;

  @AnswerField({ schema: { oneOf: [isoTime, { type: 'null' }] }, description: 'Null: permanent.' })
  expires_at!: string | null;
}
