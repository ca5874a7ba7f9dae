import { text, textOrNull, timestampOrNull, words } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';
import { EMAIL_STATES, type EmailEventType } from '../../states/email-states.js';

/** State of one envelope recipient (contract, section 3.4). */
export class EmailRecipientDto {
  @AnswerField({ schema: text })
  address!: string;

  @AnswerField({ schema: words(['to', 'cc', 'bcc']), description: 'The first field that names the address.' })
  field!: 'to' | 'cc' | 'bcc';

  @AnswerField({ schema: words(Object.keys(EMAIL_STATES)) })
  last_event!: EmailEventType;

  @AnswerField({
    schema: { type: ['integer', 'null'], minimum: 0 },
    description: 'Those that ended; null when retention has deleted them.',
  })
  attempts!: number | null;

  @AnswerField({ schema: timestampOrNull, description: 'When the last of them began; null when there was none.' })
  last_attempt_at!: string | null;

  @AnswerField({ schema: timestampOrNull, description: 'Null when there will be none, and while one is under way.' })
  next_attempt_at!: string | null;

  @AnswerField({ schema: textOrNull, description: 'The reason of its last event.' })
  reason!: string | null;

  @AnswerField({ schema: textOrNull, description: 'The code of its last event.' })
  reason_code!: string | null;
}
