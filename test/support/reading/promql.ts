/** A metric in an expression of PromQL, with the labels by which its series are chosen. */
export interface Selector {
  metric: string;
  /** Values by label; alternatives of a regular expression are separate values. */
  matched: Record<string, string[]>;
}

export interface ReadExpression {
  selectors: Selector[];
  /** Labels of `by (…)` and the like. */
  grouped: string[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|\d[\w.]*|[a-zA-Z_:][\w:]*|\S/g;
const NAME = /^[a-zA-Z_:]/;
const GROUPING = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
/** A function or an aggregation is in front of one of these. */
const BEHIND_FUNCTION = new Set<string | undefined>(['(', 'by', 'without']);
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** Reads the names in an expression that is known to be valid, written with double quotes. */
export function readExpression(text: string): ReadExpression {
  const tokens: string[] = text.match(TOKEN) ?? [];
  const read: ReadExpression = { selectors: [], grouped: [] };
  /** Returns the tokens up to this one, and goes behind it. */
  const until = (end: string) => tokens.splice(0, tokens.indexOf(end) + 1).slice(0, -1);
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token === '[') until(']');
    else if (GROUPING.has(token)) read.grouped.push(...until(')').filter((name) => NAME.test(name)));
    else if (NAME.test(token) && !OPERATORS.has(token) && !BEHIND_FUNCTION.has(tokens[0]))
      read.selectors.push({ metric: token, matched: tokens[0] === '{' ? matchersOf(until('}')) : {} });
  }
  return read;
}

function matchersOf(tokens: readonly string[]): Record<string, string[]> {
  const values = (at: number) => tokens.slice(at).find((token) => token.startsWith('"')) ?? '""';
  return Object.fromEntries(
    tokens.flatMap((token, at) => (NAME.test(token) ? [[token, values(at).slice(1, -1).split('|')]] : [])),
  );
}

/** Labels of each metric in an answer of `/metrics`, with the values that it shows. */
export type Exposed = Map<string, Record<string, Set<string>>>;

export function readMetrics(text: string): Exposed {
  const exposed: Exposed = new Map();
  for (const [, metric = '', kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) exposed.set(metric + suffix, {});
  for (const [, metric = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const shown = exposed.get(metric) ?? {};
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      shown[label] ??= new Set();
      shown[label].add(value);
    }
  }
  return exposed;
}
