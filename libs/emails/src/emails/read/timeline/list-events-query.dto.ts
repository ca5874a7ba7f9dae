import { IsOptional } from 'class-validator';
import { DEFAULT_LIMIT, IsLimit } from '../../../shared/http/page-query.dto.js';
import { splitWords } from '../../../shared/http/query.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import { AreWords } from '../../../shared/validation/are-words.js';
import { Field } from '../../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../../shared/validation/rule.js';
import { IsLacking } from '../../../shared/validation/rules.js';
import { EMAIL_STATES, STATELESS_EVENTS } from '../../states/email-states.js';

/** The types of events in a timeline: more than an email's `last_event`. */
export const EVENT_TYPES: readonly string[] = [...Object.keys(EMAIL_STATES), ...STATELESS_EVENTS];

/** The largest event id in PostgreSQL (bigint). */
const LAST_ID = 2n ** 63n - 1n;
const EVENT_ID = /^\d{1,19}$/;

const isEventId = (value: unknown) => typeof value === 'string' && EVENT_ID.test(value) && BigInt(value) <= LAST_ID;

/** The message for a cursor that is not an event of the email. */
export const NO_EVENT = 'must be the id of an event of this email';

/** An address of an envelope, in any letter case. */
const IsRecipient = () =>
  ruleDecorator(
    'isRecipient',
    (value) => {
      if (typeof value !== 'string') return 'must be an address';
      try {
        parseMailbox(value);
        return undefined;
      } catch (error) {
        if (error instanceof MailboxSyntaxError) return `must be an address. ${error.message}`;
        throw error;
      }
    },
    { type: 'string' },
  );

/** Which events of an email `GET /emails/:id/events` shows (contract, section 3.4). */
export class ListEventsQueryDto {
  @Field({ keepsEmpty: true, description: 'How many.', schema: { default: DEFAULT_LIMIT } })
  @IsOptional()
  @IsLimit()
  limit?: number | string | undefined;

  @Field({ keepsEmpty: true, description: 'The id of an event; the page has older ones.' })
  @IsOptional()
  @ruleDecorator('isEventId', passes(isEventId, NO_EVENT), { type: 'string', pattern: EVENT_ID.source })
  after?: string | undefined;

  @Field()
  @IsOptional()
  @IsLacking('pages of newer events')
  before?: string | undefined;

  @Field({
    listsOne: true,
    reads: splitWords,
    description: 'Only of these types, with commas between them, or repeated. Default: all.',
  })
  @IsOptional()
  @AreWords(EVENT_TYPES)
  type?: string | readonly string[] | undefined;

  @Field({
    description: 'Only of this envelope address, in any letter case. Default: all, and those of the whole email.',
  })
  @IsOptional()
  @IsRecipient()
  recipient?: string | undefined;
}
