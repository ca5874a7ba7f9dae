import { validate as isUUID } from 'uuid';
import { ApiError } from '../errors/api-error.js';
import type { PageRequest } from '../rows/page.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A page of a list (contract, section 3). */
export interface PageQuery {
  /** 1 to 100. Default: 20. */
  limit?: number | string | undefined;
  /** The id of an object: the page that follows it (older). */
  after?: string | undefined;
  /** The id of an object: the page before it (newer). */
  before?: string | undefined;
}

/** The page of a list that a URL asks for. @throws ApiError 422 */
export function readPageQuery(url: string): PageRequest {
  return toPageRequest(pageQuery(url));
}

/**
 * What a URL says of `limit`, `after` and `before` of a list (contract, section 3). Reads the URL itself, because what
 * `request.query` holds depends on the host's query parser.
 *
 * @throws ApiError 422 for one that is there twice
 */
export function pageQuery(url: string): PageQuery {
  const start = url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start));
  return {
    limit: single(query, 'limit'),
    after: single(query, 'after'),
    before: single(query, 'before'),
  };
}

/** Checks which page is asked for. @throws ApiError 422 */
export function toPageRequest(query: PageQuery): PageRequest {
  const { limit = DEFAULT_LIMIT, after, before } = query ?? {};
  if (!(/^\d{1,3}$/.test(String(limit)) && +limit >= 1 && +limit <= MAX_LIMIT)) {
    throw ApiError.invalid(`\`limit\` must be a whole number from 1 to ${MAX_LIMIT} in plain digits.`);
  }
  if (after !== undefined && before !== undefined) throw ApiError.invalid('Give `after` or `before`, not both.');
  for (const [name, id] of Object.entries({ after, before })) {
    if (id !== undefined && !isUUID(id))
      throw ApiError.invalid(`\`${name}\` must be the id of an object in this list.`);
  }
  return {
    limit: Number(limit),
    ...(after !== undefined && { cursor: { direction: 'older' as const, id: after } }),
    ...(before !== undefined && { cursor: { direction: 'newer' as const, id: before } }),
  };
}

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  const bracketed = [...query.keys()].some((key) => key.startsWith(`${name}[`));
  if (values.length > 1 || bracketed) throw ApiError.invalid(`\`${name}\` must be given once.`);
  return values[0];
}
