import { ApiError } from '../errors/api-error.js';

/** Text that stays as it is, or a place for the value of `key`; `raw` when it was written with three braces. */
export type TemplatePart = string | { key: string; raw: boolean };

/**
 * Takes a template apart. Its whole language is `{{KEY}}` and `{{{KEY}}}`, spaces around the key allowed: no helpers,
 * blocks, partials, paths or expressions, so that nothing in a template can do anything but wait for a value. A `{{`
 * that starts neither is refused rather than sent to somebody as it stands.
 *
 * @throws ApiError 422 with the line
 */
export function parseTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of source.matchAll(PLACEHOLDER)) {
    const [placeholder, rawKey, escapedKey] = match;
    const key = rawKey ?? escapedKey;
    if (key === undefined) throw notAPlaceholder(source, match.index);
    if (match.index > end) parts.push(source.slice(end, match.index));
    parts.push({ key, raw: rawKey !== undefined });
    end = match.index + placeholder.length;
  }
  if (end < source.length) parts.push(source.slice(end));
  return parts;
}

/**
 * Checks one text of a template before it is saved and returns the keys it uses, each once, in order of appearance.
 *
 * @throws ApiError 422 when there is anything between `{{` and `}}` but a key
 */
export function checkTemplate(source: string): string[] {
  return [...new Set(parseTemplate(source).flatMap((part) => (typeof part === 'string' ? [] : [part.key])))];
}

function notAPlaceholder(source: string, index: number): ApiError {
  const line = source.slice(0, index).split('\n').length;
  return ApiError.invalid(
    `Line ${line} of the template has a \`{{\` that is not \`{{KEY}}\` or \`{{{KEY}}}\` with a key of 1 to 50 letters, digits and underscores. ` +
      'Helpers, blocks, partials, paths and comments are not supported.',
  );
}

const PLACEHOLDER = /\{\{\{ *(\w{1,50}) *\}\}\}|\{\{ *(\w{1,50}) *\}\}|\{\{/g;
