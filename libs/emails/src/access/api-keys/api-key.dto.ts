import type { Permission } from '../../shared/callers/caller.js';
import { text, timestamp, timestampOrNull, uuid, uuidOrNull, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { type KeyRole, PERMISSIONS } from './create-api-key.dto.js';

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

  @AnswerField({ schema: words(PERMISSIONS) })
  permission!: Permission;

  @AnswerField({
    schema: text,
    description: 'First characters of its token, to recognize it: up to 8, and at most a quarter of the token.',
    examples: ['re_4kXb2'],
  })
  token_start!: string;

  @AnswerField({ schema: uuidOrNull, description: 'The only domain that it may send from; null for any.' })
  domain_id!: string | null;

  @AnswerField({
    schema: { type: ['string', 'null'], enum: ['viewer', 'support', null] },
    description: 'Role of the sessions of a key that opens the page alone; null for a key of the API.',
  })
  page_role!: KeyRole | null;
}
