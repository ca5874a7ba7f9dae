import { ApiError } from '../errors/api-error.js';
import type { Dto } from '../validation/dto-fields.js';
import { DtoReader } from '../validation/dto-reader.js';

/** Limit of values of one parameter, above that of any list. */
const MAX_VALUES = 10_000;

/**
 * The parameters of a URL that are fields of a class, before the check by `readQuery`. Reads the URL itself, because
 * the content of `request.query` depends on the host's query parser.
 *
 * @throws ApiError 422 for a repeated parameter that is not a list, and for `name[]=`
 */
export function queryOf<T extends object>(dto: Dto<T>, url: string): T {
  const start = url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start));
  const given: Record<string, unknown> = {};
  for (const { name, facts } of DtoReader.of(dto).fields) {
    given[name] = facts.listsOne ? repeated(query, name) : single(query, name);
  }
  return given as T;
}

/**
 * Checks the fields of a query, from a URL or from the host's own code. Unknown fields are ignored.
 *
 * @example
 * ```ts
 * const { limit } = readQuery(PageQueryDto, { limit: '10' });
 * ```
 *
 * @throws ApiError 422 for the first that is wrong
 */
export function readQuery<T extends object>(dto: Dto<T>, query: Readonly<Record<string, unknown>>): T {
  const reader = DtoReader.of(dto);
  return reader.read(Object.fromEntries(reader.fields.map(({ name }) => [name, query[name]])));
}

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1 || isBracketed(query, name)) throw ApiError.invalid(`\`${name}\` must be given once.`);
  return values[0];
}

function repeated(query: URLSearchParams, name: string): string[] | undefined {
  if (isBracketed(query, name)) {
    throw ApiError.invalid(`\`${name}\` is repeated as it is: \`${name}=…&${name}=…\`, without brackets.`);
  }
  return query.has(name) ? query.getAll(name) : undefined;
}

function isBracketed(query: URLSearchParams, name: string): boolean {
  for (const key of query.keys()) if (key.startsWith(`${name}[`)) return true;
  return false;
}

/**
 * The values of a list, separated by commas, repeated, or both; without duplicates. A value that is not a list of texts
 * stays.
 */
export function splitAtCommas(given: unknown): unknown {
  const texts = [given].flat();
  if (!texts.every((text) => typeof text === 'string')) return given;
  return [...new Set(texts.flatMap((text) => text.split(',', MAX_VALUES)).map((text) => text.trim()))];
}

/** The same without empty values; undefined if none is left. */
export function splitWords(given: unknown): unknown {
  const split = splitAtCommas(given);
  if (!Array.isArray(split)) return split;
  const words = split.filter((word) => word !== '');
  return words.length > 0 ? words : undefined;
}

/** A list that holds one value, or several, as a list. */
export function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  return given === undefined ? [] : ([given].flat() as T[]);
}
