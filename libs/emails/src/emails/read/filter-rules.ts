import { LIMITS } from '../../shared/limits.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import { isLongerThan } from '../../shared/text/text-rules.js';
import { wordsOf } from '../../shared/text/words.js';
import { passes, type Rule, ruleDecorator } from '../../shared/validation/rule.js';
import { EMAIL_LIMITS } from '../limits.js';
import { TRANSPORT_NAME } from '../ports/transport-name.js';

const TAG = new RegExp(
  `^([A-Za-z0-9_-]{1,${EMAIL_LIMITS.tagText.max}})(?::([A-Za-z0-9_-]{0,${EMAIL_LIMITS.tagText.max}}))?$`,
);
const MESSAGE_ID = /^<[!-;=?-~]{1,996}>$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Name and value of the filter `name` or `name:value`; undefined for an invalid one. */
export function readTag(text: unknown): { name: string; value: string | undefined } | undefined {
  const [, name, value] = typeof text === 'string' ? (TAG.exec(text) ?? []) : [];
  return name === undefined ? undefined : { name, value };
}

/** In UTC with six fractional digits, so that it sorts as text; undefined for an invalid date or time. */
export function readTime(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return parseIsoTime(DATE.test(text) ? `${text}T00:00` : text);
}

/** An address to search for. @param orDomain accepts `@domain` too */
export const IsAddressFilter = (orDomain = false) =>
  ruleDecorator('isAddressFilter', orDomain ? addressOrDomain : address, {
    type: 'string',
    examples: ['ann@example.com', ...(orDomain ? ['@example.com'] : [])],
  });

/** Tags to search for, as `name` or `name:value`. */
export const AreTagFilters = () =>
  ruleDecorator('areTagFilters', tags, {
    type: 'array',
    maxItems: EMAIL_LIMITS.tags.max,
    items: { type: 'string', pattern: TAG.source },
  });

/** A message id to search for. */
export const IsMessageIdFilter = () =>
  ruleDecorator(
    'isMessageIdFilter',
    passes((value) => typeof value === 'string' && MESSAGE_ID.test(value), 'must be a message id such as `<…@…>`'),
    { type: 'string' },
  );

/** A name of a transport to search for. */
export const IsTransportFilter = () =>
  ruleDecorator(
    'isTransportFilter',
    passes(
      (value) => typeof value === 'string' && TRANSPORT_NAME.test(value),
      'must be the name of a transport, as in events',
    ),
    { type: 'string', pattern: TRANSPORT_NAME.source, examples: ['mx.example.com:587'] },
  );

/** An ISO 8601 time, or a date, which is its midnight in UTC. */
export const IsTimeFilter = () =>
  ruleDecorator(
    'isTimeFilter',
    passes(
      (value) => readTime(value) !== undefined,
      'must be an ISO 8601 date or time such as `2026-11-21` or `2026-11-21T05:26:01Z`',
    ),
    { type: 'string', examples: ['2026-11-21', '2026-11-21T05:26:01Z'] },
  );

/** Words to search for. */
export const IsSearch = () =>
  ruleDecorator('isSearch', search, { type: 'string', maxLength: LIMITS.subject.max, examples: ['jane order'] });

/** A list without contents. */
export const IsSummary = () =>
  ruleDecorator(
    'isSummary',
    passes((value) => value === 'summary', 'must be `summary`, or absent'),
    { enum: ['summary'] },
  );

const search: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  if (isLongerThan(value, LIMITS.subject.max)) return `takes up to ${LIMITS.subject.max} characters`;
  const words = new Set(wordsOf(value)).size;
  if (words === 0) return 'must have a word: letters or digits';
  const { max } = EMAIL_LIMITS.searchedWords;
  return words > max ? `takes up to ${max} words` : undefined;
};

const address: Rule = passes(
  (value) => typeof value === 'string' && isSyntax(() => parseMailbox(value)),
  'must be an address such as `name@example.com`',
);

const addressOrDomain: Rule = (value, among) => {
  if (typeof value !== 'string' || !value.startsWith('@')) return address(value, among);
  return isSyntax(() => toAsciiDomain(value.slice(1)))
    ? undefined
    : 'must be an address, or a domain such as `@example.com`';
};

const tags: Rule = (value) => {
  if (!Array.isArray(value) || !value.every((tag) => readTag(tag))) {
    return 'must be `name` or `name:value`, of letters, digits, `_` and `-`';
  }
  return value.length > EMAIL_LIMITS.tags.max ? `may be given ${EMAIL_LIMITS.tags.max} times` : undefined;
};

function isSyntax(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return false;
    throw error;
  }
}
