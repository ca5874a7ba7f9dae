import { STATES } from '../../api/types';

/** Names to type, and the API's parameter of each (contract, section 3.1). */
const NAMES: Readonly<Record<string, string>> = {
  state: 'last_event',
  last_event: 'last_event',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  from: 'from',
  tag: 'tag',
  topic: 'topic_id',
  topic_id: 'topic_id',
  message_id: 'message_id',
  after: 'start_date',
  start_date: 'start_date',
  before: 'end_date',
  end_date: 'end_date',
};

/** The names in the hint. */
export const FILTER_NAMES = ['to:', 'from:', 'state:', 'tag:', 'topic:', 'after:', 'before:'] as const;

const SHORT: Readonly<Record<string, string>> = { delayed: 'delivery_delayed' };

/** Filters in the API's parameters. */
export interface Filters {
  query: Record<string, string[]>;
  /** Each typed part of the text. */
  parts: string[];
  /** Its problem, if there is one. */
  problem: string | undefined;
}

/** `to:jane@a.test state:bounced tag:order:12` as parameters of the API. */
export function readFilters(text: string): Filters {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const query: Record<string, string[]> = {};
  const problems: string[] = [];
  for (const part of parts) {
    const colon = part.indexOf(':');
    const typed = part.slice(0, Math.max(colon, 0)).toLowerCase();
    const name = Object.hasOwn(NAMES, typed) ? NAMES[typed] : undefined;
    const value = part.slice(colon + 1);
    if (name === undefined) problems.push(unknown(part));
    else if (value === '') problems.push(`The value of \`${part}\` is missing.`);
    else if (name === 'last_event') addStates(value, query, problems);
    else query[name] = [...(query[name] ?? []), value];
  }
  return { query, parts, problem: problems[0] };
}

/** The text without one of its parts. */
export function withoutPart(text: string, at: number): string {
  return readFilters(text)
    .parts.filter((_, index) => index !== at)
    .join(' ');
}

function addStates(value: string, query: Record<string, string[]>, problems: string[]): void {
  for (const word of value.toLowerCase().split(',')) {
    const state = SHORT[word] ?? word;
    if (!STATES.some((known) => known === state)) {
      problems.push(`There is no state \`${word}\`. States are ${STATES.join(', ')}.`);
    }
    query.last_event = [...(query.last_event ?? []), state];
  }
}

function unknown(part: string): string {
  const suggestion = part.includes('@') ? ` Did you mean \`to:${part}\`?` : '';
  return `\`${part}\` is no filter: write ${FILTER_NAMES.join(' ')} and a value.${suggestion}`;
}
