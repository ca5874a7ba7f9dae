import { ApiError } from '../../../shared/errors/api-error.js';
import { toPageRequest } from '../../../shared/http/page-query.js';
import { checkWords, several } from '../../../shared/http/query.js';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import { EMAIL_STATES } from '../../states/email-states.js';

/** What an event in a timeline can be: more than an email's `last_event`. */
export const EVENT_TYPES: readonly string[] = [...Object.keys(EMAIL_STATES), 'unsubscribed'];

/** The last number that PostgreSQL has for an event. */
const LAST_ID = 2n ** 63n - 1n;

/** Which events of an email are wanted (contract, section 3.4). */
export interface EventsQuery {
  /** 1 to 100. Default: 20. */
  limit?: number | string | undefined;
  /** The id of an event: those that follow it (older). */
  after?: string | undefined;
  /** Only of these types. Default: all. */
  type?: string | readonly string[] | undefined;
  /** Only of this address of the envelope, in whatever case. Default: all, and those of the whole email. */
  recipient?: string | undefined;
}

export interface EventsRequest {
  limit: number;
  after: string | undefined;
  types: readonly string[] | undefined;
  /** As `addressKey` has it. */
  recipient: string | undefined;
}

/** @throws ApiError 422 */
export function toEventsRequest({ limit, after, type, recipient }: EventsQuery): EventsRequest {
  const types = several(type);
  if (types) checkWords('type', types, EVENT_TYPES);
  if (after !== undefined && !isEventId(after)) throw unknownCursor();
  return {
    limit: toPageRequest({ limit }).limit,
    after,
    types,
    recipient: recipient ? envelopeKey(recipient) : undefined,
  };
}

export function unknownCursor(): ApiError {
  return ApiError.invalid('`after` must be the id of an event of this email.');
}

function isEventId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= LAST_ID;
}

function envelopeKey(text: string): string {
  try {
    return addressKey(parseMailbox(text).envelope);
  } catch (error) {
    if (error instanceof MailboxSyntaxError)
      throw ApiError.invalid(`\`recipient\` must be an address. ${error.message}`);
    throw error;
  }
}
