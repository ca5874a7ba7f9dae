import { ApiError } from '../errors/api-error.js';

/** Values of one parameter that are looked at: more than any list may have. */
const MAX_VALUES = 10_000;

/** The query of a URL. Reads the URL itself, because what `request.query` holds depends on the host's query parser. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

/** A parameter that may be there once. @throws ApiError 422 */
export function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1 || isBracketed(query, name)) throw ApiError.invalid(`\`${name}\` must be given once.`);
  return values[0];
}

/** All that is said of a parameter that may be repeated; undefined: nothing. @throws ApiError 422 for `name[]=` */
export function repeated(query: URLSearchParams, name: string): string[] | undefined {
  if (isBracketed(query, name)) {
    throw ApiError.invalid(`\`${name}\` is repeated as it is: \`${name}=…&${name}=…\`, without brackets.`);
  }
  return query.has(name) ? query.getAll(name) : undefined;
}

function isBracketed(query: URLSearchParams, name: string): boolean {
  for (const key of query.keys()) if (key.startsWith(`${name}[`)) return true;
  return false;
}

/** The values of a list, given with commas between them, one by one, or both; each once. Undefined: none. */
export function several(given: string | readonly string[] | null | undefined): string[] | undefined {
  const texts = [given ?? []].flat().flatMap((text) => text.split(',', MAX_VALUES));
  const values = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  return values.length === 0 ? undefined : values;
}

/** @throws ApiError 422 unless each value is one of these words */
export function checkWords<const W extends string>(
  name: string,
  values: readonly string[],
  words: readonly W[],
): asserts values is readonly W[] {
  if (values.every((value) => words.some((word) => word === value))) return;
  throw ApiError.invalid(`\`${name}\` must be one or more of: ${words.join(', ')}.`);
}
