import { isUuid } from '../../../shared/text/is-uuid.js';
import { type EmailEventType, FIRST_STATE } from '../../states/email-states.js';
import { accountHash, termHash } from '../email-terms.js';
import type { Order } from './email.sql.js';

/*
 * One of the filters drives: it returns the numbers of emails in the order of the list, and each of these is checked
 * against the other filters until there are enough. The planner's statistics on terms and states are outdated, and it
 * does not know that a page is enough: so it is made to follow indexes, one email after the other. Among a million
 * emails the slowest filter takes 1.4 times the plain page; most take less (docs/bench.md, `filters` and `search`).
 */

/** Time limit of one statement. Milliseconds. */
export const FILTERING = 2_000;

/** Settings of the transaction. */
export const FOLLOW_INDEXES = `SELECT set_config('statement_timeout', '${FILTERING}', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true), ${['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']
    .map((path) => `set_config('enable_${path}', 'off', true)`)
    .join(', ')}`;

/**
 * The first number at which the email and all later ones were created at `time` or later, as far as emails were created
 * one after the other. Reads one email for each bit of the largest number.
 */
const numberAt = (time: string) => `(
  WITH RECURSIVE halves AS (
    SELECT 0::bigint AS low, coalesce(max(seq), 0) + 1 AS high FROM nestjs_emails.emails WHERE account_id = $1
    UNION ALL
    SELECT CASE WHEN middle.created_at < ${time} THEN middle.seq + 1 ELSE low END,
      CASE WHEN middle.created_at < ${time} THEN high ELSE (low + high) / 2 END
    FROM halves, LATERAL (
      SELECT seq, created_at FROM nestjs_emails.emails WHERE account_id = $1 AND seq >= (low + high) / 2
      ORDER BY seq LIMIT 1
    ) AS middle
    WHERE low < high
  )
  SELECT max(low) FROM halves)`;

/**
 * $1: account, $2: terms, $3 and $4: times or null. Returns the hashes of the terms in their order, and the numbers at
 * the times.
 */
export const PLACES = `
SELECT ARRAY(SELECT ${termHash('term', '$1')}::text FROM unnest($2::text[]) WITH ORDINALITY AS t(term, place) ORDER BY place)
    AS hashes,
  CASE WHEN $3::timestamptz IS NOT NULL THEN ${numberAt('$3::timestamptz')}::text END AS start,
  CASE WHEN $4::timestamptz IS NOT NULL THEN ${numberAt('$4::timestamptz')}::text END AS end`;

/** Rows of each filter that are read to see how frequent it is next to the cursor. */
const NEAR = 100;
/** Rows of one filter that are looked at before frequent ones are counted. */
const NEXT = 1_000;
/** Rows that are counted to find the filter with the fewest. */
export const MANY = 10_000;
/** Limit of due emails, of all accounts, that are searched for queued ones. */
const MANY_DUE = 2_000;
/** Limit of emails that are searched for queued ones when many are due. */
const NEAREST = 2_000;

/** A path to the emails that match one filter. Its SQL has $1: account, $2: number of the cursor or null. */
export interface FilterPath {
  /** A query for their numbers, in no order. */
  numbers: string;
  /** An index has the numbers in the order of the list. */
  isOrdered: boolean;
  /** Cost of the whole path, in rows: an expression whose value is `MANY` or more if there are many. */
  cost: string;
  /** Conditions of the other filters, on `d.seq` and on the email `e`. */
  otherConditions: string;
}

/** Range of numbers to look at. */
export interface Span {
  direction: 'older' | 'newer';
  start: string | null;
  end: string | null;
}

const within = ({ direction, start, end }: Span) =>
  [
    direction === 'newer' ? 'seq > $2::bigint' : 'seq < coalesce($2::bigint, 9223372036854775807)',
    'seq > 0',
    ...(start === null ? [] : [`seq >= ${BigInt(start)}`]),
    ...(end === null ? [] : [`seq < ${BigInt(end)}`]),
  ].join(' AND ');

export const orderOf = ({ direction }: Pick<Span, 'direction'>): Order => (direction === 'newer' ? 'ASC' : 'DESC');

const first = (rows: string, span: Span, most: number) =>
  `SELECT seq FROM (${rows}) AS r ORDER BY seq ${orderOf(span)} LIMIT ${most}`;

const counted = (rows: string, most: number) => `(SELECT count(*) FROM (${rows} LIMIT ${most}) AS counted)`;

const hasTerm = (hash: string) =>
  `EXISTS (SELECT FROM nestjs_emails.email_terms t WHERE t.term = ${hash} AND t.seq = d.seq OFFSET 0)`;

const inState = (states: readonly EmailEventType[]) =>
  `EXISTS (SELECT FROM nestjs_emails.deliveries s WHERE s.email_id = e.id AND s.last_event IN (${quoted(states)}) OFFSET 0)`;

const quoted = (states: readonly EmailEventType[]) => states.map((state) => `'${state}'`).join(', ');

/** A queued email is due or was postponed: an index of queued emails would have an entry for every email. */
const numbersInState = (state: EmailEventType, span: Span) => `
  SELECT seq FROM nestjs_emails.deliveries
  WHERE account = ${accountHash('$1')} AND last_event = '${state}' AND ${within(span)}
    AND ${state === FIRST_STATE.now ? 'due_at IS NOT NULL' : `last_event <> '${FIRST_STATE.now}'`}`;

/** Each arm is a separate query, so that it is followed in its order, and only as far as necessary. */
function merged(arms: readonly string[], order: Order): string {
  const sorted = arms.map((arm) => `(${arm} ORDER BY seq ${order} OFFSET 0)`);
  return `SELECT seq FROM (${sorted.join(' UNION ALL ')}) AS arms ORDER BY seq ${order} OFFSET 0`;
}

function pathOfStates(states: readonly EmailEventType[], span: Span): Omit<FilterPath, 'otherConditions'> {
  const arms = states.map((state) => numbersInState(state, span));
  const indexed = arms.filter((_, index) => states[index] !== FIRST_STATE.now);
  const costs = indexed.map((rows) => counted(rows, MANY));
  if (indexed.length < arms.length) {
    const due = counted('SELECT FROM nestjs_emails.deliveries WHERE due_at IS NOT NULL', MANY_DUE);
    costs.push(`${MANY / MANY_DUE} * ${due}`);
  }
  return {
    numbers: arms.length === 1 ? arms.join('') : merged(arms, orderOf(span)),
    isOrdered: indexed.length === arms.length,
    cost: costs.join(' + '),
  };
}

/** @param hashes hashes of the terms, which are numbers */
export function pathsOf(
  hashes: readonly string[],
  states: readonly EmailEventType[] | undefined,
  span: Span,
): FilterPath[] {
  const numbers = hashes.map((hash) => BigInt(hash).toString());
  const conditions = numbers.map(hasTerm);
  const state = states && inState(states);
  const ofTerms = numbers.map((hash, place): FilterPath => {
    const rows = `SELECT seq FROM nestjs_emails.email_terms WHERE term = ${hash} AND ${within(span)}`;
    const others = conditions.filter((_, index) => index !== place);
    return { numbers: rows, isOrdered: true, cost: counted(rows, MANY), otherConditions: all(...others, state) };
  });
  return states ? [...ofTerms, { ...pathOfStates(states, span), otherConditions: all(...conditions) }] : ofTerms;
}

/** All emails, only those next to the cursor, or one by its message id, which is a parameter of the statement. */
export function pathOfEmails(
  hashes: readonly string[],
  states: readonly EmailEventType[] | undefined,
  span: Span,
  which: { near?: true; message?: Message } = {},
): FilterPath {
  const rows = `SELECT seq FROM nestjs_emails.emails WHERE account_id = $1 AND ${within(span)}`;
  const { near, message } = which;
  const numbers = message !== undefined ? numberOfMessage(message, span) : near ? first(rows, span, NEAREST) : rows;
  const conditions = hashes.map((hash) => hasTerm(BigInt(hash).toString()));
  return { numbers, isOrdered: true, cost: '0', otherConditions: all(...conditions, states && inState(states)) };
}

interface Message {
  id: string;
  /** Such as `$6`. */
  parameter: string;
}

/** Generated message ids contain the email's id and need no index. Given ones have an index of their own. */
function numberOfMessage({ id: messageId, parameter }: Message, span: Span): string {
  const id = /^<([0-9a-f-]{36})@/.exec(messageId)?.[1];
  const rows = `SELECT seq FROM nestjs_emails.emails WHERE account_id = $1 AND message_id = ${parameter}`;
  const made = id !== undefined && isUuid(id) ? `${rows} AND id = '${id}' UNION ALL ` : '';
  return `SELECT seq FROM (${made}${rows} AND strpos(message_id, id::text) = 0 LIMIT 1) AS named WHERE ${within(span)}`;
}

const all = (...conditions: (string | undefined)[]) =>
  conditions.filter((condition) => condition !== undefined).join(' AND ') || 'true';

/** Uses both parameters, whose types PostgreSQL must know. $1: account, $2: number of the cursor or null. */
const GIVEN = '$1::text IS NOT NULL AND coalesce($2::bigint, 0) >= 0';

export const costsOf = (paths: readonly FilterPath[]) =>
  `SELECT ARRAY[${paths.map(({ cost }) => cost).join(', ')}]::integer[] AS costs WHERE ${GIVEN}`;

/**
 * For each path that is ordered, how frequent its filter is next to the cursor: `count` is that of its emails if they
 * are few, else null; the larger `reach` is, the farther the first of them lie apart.
 */
export function frequenciesOf(paths: readonly FilterPath[], span: Span): string {
  const reach = span.direction === 'newer' ? 'max(seq)' : '-min(seq)';
  const found = paths.map(
    ({ numbers }) => `(
    SELECT json_build_object('count', CASE WHEN count(*) < ${NEAR} THEN count(*) END, 'reach', ${reach})
    FROM (${first(numbers, span, NEAR)}) AS near)`,
  );
  return `SELECT json_build_array(${found.join(', ')}) AS frequencies WHERE ${GIVEN}`;
}

/** The same path, no farther than its first emails. */
export function nextOf({ numbers, ...path }: FilterPath, span: Span): FilterPath {
  return { ...path, numbers: first(numbers, span, NEXT) };
}

/** A query for the rows of the first emails, like that of a page of all emails. $3: limit. */
export const filteredEmails = ({ numbers, otherConditions }: FilterPath, span: Span) => `
  SELECT e.* FROM (${numbers}) AS d,
    LATERAL (SELECT * FROM nestjs_emails.emails WHERE account_id = $1 AND seq = d.seq OFFSET 0) AS e
  WHERE ${otherConditions} ORDER BY d.seq ${orderOf(span)} LIMIT (SELECT $3::bigint)`;
