import { ApiError } from '../../shared/errors/api-error.js';
import { listOf, readQuery } from '../../shared/http/query.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { wordsOf } from '../../shared/text/words.js';
import type { EmailEventType } from '../states/email-states.js';
import type { EmailFilters, PageColumns } from '../storage/accept/emails.repository.js';
import { terms } from '../storage/email-terms.js';
import { readTag, readTime } from './filter-rules.js';
import { ListEmailsQueryDto } from './list-emails-query.dto.js';

/**
 * Checks the filters of a list. Undefined: all emails.
 *
 * @throws ApiError 422
 */
export function toEmailFilters(query: ListEmailsQueryDto): EmailFilters | undefined {
  const read = readQuery(ListEmailsQueryDto, { ...query });
  const { last_event, message_id: messageId } = read;
  const [start, end] = [readTime(read.start_date), readTime(read.end_date)];
  if (start !== undefined && end !== undefined && start > end) {
    throw ApiError.invalid('`start_date` must not be after `end_date`.');
  }
  const states = last_event === undefined ? undefined : (listOf(last_event) as readonly EmailEventType[]);
  const filters = { terms: toTerms(read), states, messageId, start, end };
  const isNone = filters.terms.length === 0 && (states ?? messageId ?? start ?? end) === undefined;
  return isNone ? undefined : filters;
}

/** The columns that a list shows. */
export const toPageColumns = ({ fields }: ListEmailsQueryDto): PageColumns => fields ?? 'all';

function toTerms({ to, cc, bcc, from, tag, topic_id, transport, search }: ListEmailsQueryDto): string[] {
  const found = new Set<string>();
  if (to !== undefined) found.add(terms.recipient(toKey(to)));
  if (cc !== undefined) found.add(terms.cc(toKey(cc)));
  if (bcc !== undefined) found.add(terms.bcc(toKey(bcc)));
  if (from?.startsWith('@')) found.add(terms.fromDomain(toAsciiDomain(from.slice(1))));
  else if (from !== undefined) found.add(terms.from(toKey(from)));
  for (const text of listOf(tag)) found.add(toTag(text));
  if (topic_id !== undefined) found.add(terms.topic(topic_id));
  if (transport !== undefined) found.add(terms.transport(transport));
  if (search !== undefined) for (const word of wordsOf(search)) found.add(terms.word(word));
  return [...found];
}

function toTag(text: string): string {
  const { name = '', value } = readTag(text) ?? {};
  return value === undefined ? terms.tag(name) : terms.tagValue(name, value);
}

function toKey(text: string): string {
  return addressKey(parseMailbox(text).envelope);
}
