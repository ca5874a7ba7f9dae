import { textOrNull, timestamp, words } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';
import type { RecordedEventType } from '../../states/email-states.js';
import { BounceDto } from './bounce.dto.js';
import { EVENT_SOURCES, type EventSource } from './event-sources.js';
import { EVENT_TYPES } from './list-events-query.dto.js';

const WHY = 'The reason, as a code of the contract (section 3.4) or of a policy; null if it is the reply of a server.';

/** An event in the timeline of an email (contract, section 3.4). */
export class EmailEventDto {
  @AnswerField({
    schema: { type: 'string', pattern: '^\\d{1,19}$' },
    description: 'The same id as in event listeners.',
  })
  id!: string;

  @AnswerField({ schema: words(EVENT_TYPES) })
  type!: RecordedEventType;

  @AnswerField({
    schema: textOrNull,
    description: 'The envelope address it is about; null when it is about the whole email.',
  })
  recipient!: string | null;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: textOrNull, description: 'The reply of a server, the code of a policy, or a sentence.' })
  reason!: string | null;

  @AnswerField({ schema: textOrNull, description: WHY })
  reason_code!: string | null;

  @AnswerField({
    schema: { type: ['integer', 'null'], minimum: 1 },
    description: 'The attempt that led to it; null: none.',
  })
  attempt!: number | null;

  @AnswerField({ schema: textOrNull, description: 'The name of the transport of that attempt; null: none.' })
  transport!: string | null;

  @AnswerField({ schema: words(EVENT_SOURCES) })
  source!: EventSource;

  @AnswerField({ type: BounceDto, nullable: true, description: 'Details of a bounce; null for other events.' })
  bounce!: BounceDto | null;
}
