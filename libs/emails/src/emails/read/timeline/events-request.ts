import { ApiError } from '../../../shared/errors/api-error.js';
import { DEFAULT_LIMIT } from '../../../shared/http/page-query.dto.js';
import { listOf, readQuery } from '../../../shared/http/query.js';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { sentence } from '../../../shared/validation/sentence.js';
import { ListEventsQueryDto, NO_EVENT } from './list-events-query.dto.js';

export interface EventsRequest {
  limit: number;
  after: string | undefined;
  types: readonly string[] | undefined;
  /** In the form of `addressKey`. */
  recipient: string | undefined;
}

/** @throws ApiError 422 */
export function toEventsRequest(query: ListEventsQueryDto): EventsRequest {
  const { limit = DEFAULT_LIMIT, after, type, recipient } = readQuery(ListEventsQueryDto, { ...query });
  return {
    limit: Number(limit),
    after,
    types: type === undefined ? undefined : listOf(type),
    recipient: recipient === undefined ? undefined : addressKey(parseMailbox(recipient).envelope),
  };
}

export function unknownCursor(): ApiError {
  return ApiError.invalid(sentence('after', NO_EVENT));
}
