import { TEXTS } from './texts';

const texts = TEXTS.faults;

/** A fault of a text, and its line. */
export interface Fault {
  /** From 1. */
  line: number;
  message: string;
}

/** A placeholder of a text. */
export interface Reading {
  /** The used keys, each once, with the line of the first use. */
  keys: ReadonlyMap<string, number>;
  faults: readonly Fault[];
}

/** The same language as the server's: `{{KEY}}` and `{{{KEY}}}`, and no other text that starts with two braces. */
const PLACEHOLDER = /\{\{\{ *(\w{1,50}) *\}\}\}|\{\{ *(\w{1,50}) *\}\}|\{\{/g;

/** Finds the variables of a text, and the parts that the server would refuse. */
export function readTemplateText(source: string): Reading {
  const keys = new Map<string, number>();
  const faults: Fault[] = [];
  const lines = new LineCounter(source);
  for (const match of source.matchAll(PLACEHOLDER)) {
    const line = lines.at(match.index);
    const key = match[1] ?? match[2];
    if (key !== undefined) {
      if (!keys.has(key)) keys.set(key, line);
    } else if (!isPartOfBefore(source, match.index)) {
      const last = faults.at(-1);
      const message = whatIsWrong(source.slice(match.index));
      if (last?.line !== line || last.message !== message) faults.push({ line, message });
    }
  }
  return { keys, faults };
}

/** Puts values into a text without faults. A placeholder without a value stays unchanged. */
export function fillTemplateText(
  source: string,
  values: Readonly<Record<string, string | number>>,
  encode: (value: string) => string = (value) => value,
): string {
  return source.replace(PLACEHOLDER, (whole, raw?: string, escaped?: string) => {
    const key = raw ?? escaped;
    if (key === undefined || !Object.hasOwn(values, key)) return whole;
    const value = String(values[key]);
    return raw === undefined ? encode(value) : value;
  });
}

/** Same escaping as the server's for `{{KEY}}` in html. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"'`=]/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

/** The second two of four braces in a row are not a separate fault. */
function isPartOfBefore(source: string, index: number): boolean {
  return source.slice(Math.max(0, index - 2), index) === '{{';
}

function whatIsWrong(rest: string): string {
  const line = rest.split('\n', 1)[0] ?? '';
  const inside = /^\{\{\{?([^{}]*)/.exec(line)?.[1]?.trim() ?? '';
  if (!line.includes('}}')) return texts.notClosed(start(line), line.startsWith('{{{') ? '}}}' : '}}');
  if (/^[#/!>^&]/.test(inside)) return texts.noVariable(start(inside));
  if (inside === '') return texts.noName;
  if (/^\w{1,50}$/.test(inside)) return texts.unequal(start(inside));
  return texts.badName(start(inside));
}

function start(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Counts lines during a single pass through a text. */
class LineCounter {
  private index = 0;
  private line = 1;

  constructor(private readonly source: string) {}

  at(index: number): number {
    for (let next = this.source.indexOf('\n', this.index); next >= 0 && next < index; ) {
      this.line += 1;
      this.index = next + 1;
      next = this.source.indexOf('\n', this.index);
    }
    return this.line;
  }
}
