import { constant, text, timestampOrNull, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import type { DomainTls } from '../storage/domain.entity.js';
import { TLS_MODES } from './domain-fields.js';
import { NewDomainDto } from './new-domain.dto.js';

/** A domain. */
export class DomainDto extends NewDomainDto {
  @AnswerField({ schema: constant('domain') })
  object!: 'domain';

  @AnswerField({ schema: words(TLS_MODES) })
  tls!: DomainTls;

  @AnswerField({ schema: text })
  custom_return_path!: string;

  @AnswerField({ schema: timestampOrNull, description: 'The last check of its records.' })
  checked_at!: string | null;

  @AnswerField({ schema: timestampOrNull, description: 'The next one; null before the first request to verify it.' })
  next_check_at!: string | null;
}
