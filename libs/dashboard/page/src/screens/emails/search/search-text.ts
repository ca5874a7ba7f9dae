import { EMAIL_LIMITS } from 'nestjs-emails/facts';
import { type EmailState, STATES } from '../../../api/types';
import { quoted } from '../../../parts/emails-link';
import { TEXTS } from '../texts';
import { readTime } from './search-times';

/** Names to type, and the API's parameter of each (contract, section 3.1). */
const PARAMETERS: Readonly<Record<string, string>> = {
  state: 'last_event',
  status: 'last_event',
  last_event: 'last_event',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  from: 'from',
  tag: 'tag',
  topic: 'topic_id',
  topic_id: 'topic_id',
  transport: 'transport',
  message_id: 'message_id',
  after: 'start_date',
  start_date: 'start_date',
  before: 'end_date',
  end_date: 'end_date',
};

/** Parameters that may have several values. */
const REPEATED: ReadonlySet<string> = new Set(['last_event', 'tag']);

const SHORT: ReadonlyMap<string, EmailState> = new Map([['delayed', 'delivery_delayed']]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MESSAGE_ID = /^<[^<>\s]+@[^<>\s]+>$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@[^<>\s]+$/i;
/** `name:value`, `name:"a value"`, `to:"a b"@c.test`, `"some words"`, or a word. */
const PARTS = /([a-z_]+):(?:"([^"]*)"(?!\S)|((?:"[^"]*")?\S*))|"([^"]*)"|(\S+)/gi;

/** A typed text in the API's parameters. */
export interface Search {
  query: Readonly<Record<string, string[]>>;
  /** The email whose id is the whole text. */
  emailId: string | undefined;
  /** Why it is not understood. */
  problem: string | undefined;
}

interface TextPart {
  /** As it was typed. */
  raw: string;
  /** The API's parameter; undefined for a word. */
  parameter: string | undefined;
  name: string;
  value: string;
}

/**
 * `order 1182 to:jane@a.test state:bounced tag:order:12` as parameters of the API.
 *
 * @param now milliseconds since 1970, for `after:24h`
 */
export function readSearch(text: string, now: number): Search {
  const parts = partsOf(text);
  const [only] = parts;
  if (parts.length === 1 && only && UUID.test(only.value) && only.parameter === undefined) {
    return { query: {}, emailId: only.value.toLowerCase(), problem: undefined };
  }
  const query: Record<string, string[]> = {};
  const words: string[] = [];
  let problem: string | undefined;
  for (const part of parts) {
    const { parameter, name, value } = part;
    if (parameter === undefined && name === '') words.push(value);
    else problem ??= problemOf(part) ?? add(part, query, now);
  }
  if (words.length > 0) query.search = [words.join(' ')];
  return { query, emailId: undefined, problem: problem ?? problemOfWords(words) };
}

/** The values of a parameter in the text. */
export function valuesOf(text: string, parameter: string): string[] {
  return partsOf(text).flatMap((part) => (part.parameter === parameter ? part.value.split(',') : []));
}

/** The text with other values of parameters, each by its name; null removes it. */
export function withValues(text: string, values: Readonly<Record<string, string | null>>): string {
  const changed = new Set(Object.keys(values).map((name) => PARAMETERS[name]));
  const kept = partsOf(text).filter(({ parameter }) => parameter === undefined || !changed.has(parameter));
  const added = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : `${name}:${quoted(value)}`));
  return [...kept.map(({ raw }) => raw), ...added].join(' ');
}

function partsOf(text: string): TextPart[] {
  return [...text.matchAll(PARTS)].map(([raw, name = '', inQuotes, plain, words, word]) => {
    const typed = name.toLowerCase();
    const value = inQuotes ?? plain ?? words ?? word ?? '';
    if (name === '' && MESSAGE_ID.test(value)) return { raw, parameter: 'message_id', name: 'message_id', value };
    // A word with a colon, as in "Re: your order".
    if (value === '' && !Object.hasOwn(PARAMETERS, typed)) return { raw, parameter: undefined, name: '', value: name };
    return { raw, parameter: Object.hasOwn(PARAMETERS, typed) ? PARAMETERS[typed] : undefined, name: typed, value };
  });
}

function problemOf({ parameter, name, value, raw }: TextPart): string | undefined {
  if (parameter === undefined) return TEXTS.search.unknown(name, raw);
  if (value === '') return TEXTS.search.missing(name);
  if (parameter === 'to' && !value.includes('@')) return TEXTS.search.noAddress(name, value);
  if (parameter === 'topic_id' && !UUID.test(value)) return TEXTS.search.noTopic;
  return undefined;
}

/** Adds a part to the query. @returns the problem of its value */
function add({ parameter = '', name, value }: TextPart, query: Record<string, string[]>, now: number) {
  const known = query[parameter];
  if (known && !REPEATED.has(parameter)) return TEXTS.search.twice(name);
  const values =
    parameter === 'last_event' ? value.toLowerCase().split(',').map(stateOf) : [apiValueOf(parameter, value)];
  if (parameter === 'last_event') {
    const unknown = values.find((state) => !STATES.some((one) => one === state));
    if (unknown !== undefined) return TEXTS.search.noState(unknown);
  }
  if (parameter === 'start_date' || parameter === 'end_date') {
    const time = readTime(value, now);
    if (time === undefined) return TEXTS.search.noTime(name, value);
    query[parameter] = [time];
    return undefined;
  }
  query[parameter] = [...new Set([...(known ?? []), ...values])];
  return undefined;
}

function apiValueOf(parameter: string, value: string): string {
  if (parameter === 'message_id' && !value.startsWith('<')) return `<${value}>`;
  if (parameter === 'from' && !value.includes('@') && value.includes('.')) return `@${value}`;
  return value;
}

/** The state that a word means. */
export function stateOf(word: string): string {
  return SHORT.get(word) ?? word;
}

function problemOfWords(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const found = words.join(' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  if (found.length === 0) return TEXTS.search.noWord(words.join(' '));
  const { max } = EMAIL_LIMITS.searchedWords;
  return new Set(found).size > max ? TEXTS.search.tooManyWords(max) : undefined;
}
