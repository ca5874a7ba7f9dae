import { schema } from '../../shared/openapi/components.js';
import {
  constant,
  mailboxes,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  uuid,
  words,
} from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { EMAIL_STATES, type EmailEventType } from '../states/email-states.js';

/** An email in a list (contract, section 3). */
export class EmailDto {
  @AnswerField({ schema: constant('email') })
  object!: 'email';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: { type: 'string', pattern: '^<[^<>]+>$' }, description: 'The same on every attempt.' })
  message_id!: string;

  @AnswerField({ schema: mailboxes })
  to!: string[];

  @AnswerField({ schema: schema('Mailbox') })
  from!: string;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: text })
  subject!: string;

  @AnswerField({ schema: textOrNull })
  html!: string | null;

  @AnswerField({ schema: textOrNull })
  text!: string | null;

  @AnswerField({ schema: mailboxes })
  bcc!: string[];

  @AnswerField({ schema: mailboxes })
  cc!: string[];

  @AnswerField({ schema: mailboxes })
  reply_to!: string[];

  @AnswerField({ schema: words(Object.keys(EMAIL_STATES)) })
  last_event!: EmailEventType;

  @AnswerField({ schema: timestampOrNull })
  scheduled_at!: string | null;
}
