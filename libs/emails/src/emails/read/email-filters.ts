import { ApiError } from '../../shared/errors/api-error.js';
import type { PageQuery } from '../../shared/http/page-query.js';
import { queryOf, repeated, single } from '../../shared/http/query.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import { EMAIL_STATES, type EmailEventType } from '../states/email-states.js';
import type { EmailFilters } from '../storage/email.repository.js';
import { terms } from '../storage/email-terms.js';

/** Which emails `GET /emails` shows, all of them if nothing is said (contract, section 3). */
export interface EmailsQuery extends PageQuery {
  /** In one of these states; several in a list, or with commas between them. */
  last_event?: string | readonly string[] | undefined;
  /** An address in to, cc or bcc, compared without case. */
  to?: string | undefined;
  cc?: string | undefined;
  bcc?: string | undefined;
  /** An address, or `@domain`. */
  from?: string | undefined;
  /** `name` or `name:value`; an email has to have all of several. */
  tag?: string | readonly string[] | undefined;
  topic_id?: string | undefined;
  message_id?: string | undefined;
  /** ISO 8601: a time, or a date, which is its midnight in UTC. Created then or later. */
  start_date?: string | undefined;
  /** The same. Created before. */
  end_date?: string | undefined;
}

/** As many as an email may have. */
const MAX_TAGS = 75;
const STATES: readonly string[] = Object.keys(EMAIL_STATES);
const TAG = /^([A-Za-z0-9_-]{1,256})(?::([A-Za-z0-9_-]{0,256}))?$/;
const MESSAGE_ID = /^<[!-;=?-~]{1,996}>$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The filters that a URL has. @throws ApiError 422 for one that is there twice and may not be */
export function filtersQuery(url: string): Omit<EmailsQuery, keyof PageQuery> {
  const query = queryOf(url);
  return {
    last_event: repeated(query, 'last_event'),
    to: single(query, 'to'),
    cc: single(query, 'cc'),
    bcc: single(query, 'bcc'),
    from: single(query, 'from'),
    tag: repeated(query, 'tag'),
    topic_id: single(query, 'topic_id'),
    message_id: single(query, 'message_id'),
    start_date: single(query, 'start_date'),
    end_date: single(query, 'end_date'),
  };
}

/**
 * Checks what is looked for. Undefined: everything is.
 *
 * @throws ApiError 422
 */
export function toEmailFilters(query: Omit<EmailsQuery, keyof PageQuery>): EmailFilters | undefined {
  const { message_id: messageId, start_date, end_date } = query;
  if (messageId !== undefined && !MESSAGE_ID.test(messageId)) refuse('message_id', 'a message id such as `<…@…>`');
  const start = toTime('start_date', start_date);
  const end = toTime('end_date', end_date);
  if (start !== undefined && end !== undefined && start > end) {
    throw ApiError.invalid('`start_date` must not be after `end_date`.');
  }
  const filters = { terms: toTerms(query), states: toStates(query.last_event), messageId, start, end };
  const isNone = filters.terms.length === 0 && !filters.states && (messageId ?? start ?? end) === undefined;
  return isNone ? undefined : filters;
}

function toTerms({ to, cc, bcc, from, tag, topic_id }: Omit<EmailsQuery, keyof PageQuery>): string[] {
  const found = new Set<string>();
  if (to !== undefined) found.add(terms.recipient(toKey('to', to)));
  if (cc !== undefined) found.add(terms.cc(toKey('cc', cc)));
  if (bcc !== undefined) found.add(terms.bcc(toKey('bcc', bcc)));
  if (from?.startsWith('@')) found.add(terms.fromDomain(toDomain(from.slice(1))));
  else if (from !== undefined) found.add(terms.from(toKey('from', from)));
  for (const each of new Set(listOf(tag))) found.add(toTag(each));
  if (new Set(listOf(tag)).size > MAX_TAGS) throw ApiError.invalid(`\`tag\` may be given ${MAX_TAGS} times.`);
  if (topic_id !== undefined) found.add(terms.topic(isUuid(topic_id) ? topic_id : refuse('topic_id', 'a UUID')));
  return [...found];
}

function toStates(given: EmailsQuery['last_event']): EmailFilters['states'] {
  if (given === undefined) return undefined;
  const states = new Set(listOf(given).flatMap((each) => each.split(',')));
  for (const state of states) {
    if (!STATES.includes(state)) refuse('last_event', `one or more of ${STATES.join(', ')}, with commas between them`);
  }
  return states.size > 0 ? ([...states] as EmailEventType[]) : undefined;
}

function toTag(text: string): string {
  const [, name, value] = TAG.exec(text) ?? [];
  if (name === undefined) refuse('tag', '`name` or `name:value`, of letters, digits, `_` and `-`');
  return value === undefined ? terms.tag(name) : terms.tagValue(name, value);
}

function toKey(name: string, text: string): string {
  return reading(name, 'an address such as `name@example.com`', () => addressKey(parseMailbox(text).envelope));
}

function toDomain(text: string): string {
  return reading('from', 'an address, or a domain such as `@example.com`', () => toAsciiDomain(text));
}

function reading(name: string, what: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof MailboxSyntaxError) refuse(name, what);
    throw error;
  }
}

/** In UTC with six fractional digits, so that it sorts as text. */
function toTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = parseIsoTime(DATE.test(text) ? `${text}T00:00` : text);
  return time ?? refuse(name, 'an ISO 8601 date or time such as `2026-11-21` or `2026-11-21T05:26:01Z`');
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return typeof given === 'string' ? [given] : (given ?? []);
}

function refuse(name: string, what: string): never {
  throw ApiError.invalid(`\`${name}\` must be ${what}.`);
}
