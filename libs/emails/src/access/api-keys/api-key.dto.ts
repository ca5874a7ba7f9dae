import { text, timestamp, timestampOrNull, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import type { KeyRole } from './create-api-key.dto.js';

/** An API key in the list. */
export class ApiKeyDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: timestampOrNull })
  last_used_at!: string | null;

  @AnswerField({
    schema: { type: ['string', 'null'], enum: ['viewer', 'support', null] },
    description: 'Role of the sessions of a key that opens the page alone; null for a key of the API.',
  })
  page_role!: KeyRole | null;
}
