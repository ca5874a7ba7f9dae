import { ApiError } from '../errors/api-error.js';
import type { PageRequest } from '../rows/page.js';
import { isUuid } from '../text/is-uuid.js';
import { thisServerHasNo } from '../text/this-server-has-no.js';
import { queryOf, single } from './query.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** What a list has that gives everything when no `limit` is named; more than that has to be paged. */
export const ALL = 1_000;

/** A page of a list (contract, section 3). */
export interface PageQuery {
  /** 1 to 100. Default: 20; of contacts and API keys up to 1,000. */
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
 * What a URL says of `limit`, `after` and `before` of a list (contract, section 3).
 *
 * @param lacking filters that Resend has for the list and this server has not, and what it would need for each
 * @throws ApiError 422 for one that is there twice, and for such a filter unless it is empty
 */
export function pageQuery(url: string, lacking: Readonly<Record<string, string>> = {}): PageQuery {
  const query = queryOf(url);
  for (const [name, what] of Object.entries(lacking)) {
    if (single(query, name)) throw ApiError.invalid(`\`${name}\` must be left out. ${thisServerHasNo(what)}`);
  }
  return {
    limit: single(query, 'limit'),
    after: single(query, 'after'),
    before: single(query, 'before'),
  };
}

/**
 * Checks which page is asked for.
 *
 * @param unlimited how many there are in a page when no limit is named
 * @throws ApiError 422
 */
export function toPageRequest(query: PageQuery, unlimited = DEFAULT_LIMIT): PageRequest {
  const { limit, after, before } = query ?? {};
  if (limit !== undefined && !(/^\d{1,3}$/.test(String(limit)) && +limit >= 1 && +limit <= MAX_LIMIT)) {
    throw ApiError.invalid(`\`limit\` must be a whole number from 1 to ${MAX_LIMIT} in plain digits.`);
  }
  if (after !== undefined && before !== undefined) throw ApiError.invalid('Give `after` or `before`, not both.');
  for (const [name, id] of Object.entries({ after, before })) {
    if (id !== undefined && !isUuid(id))
      throw ApiError.invalid(`\`${name}\` must be the id of an object in this list.`);
  }
  return {
    limit: limit === undefined ? unlimited : Number(limit),
    ...(after !== undefined && { cursor: { direction: 'older' as const, id: after } }),
    ...(before !== undefined && { cursor: { direction: 'newer' as const, id: before } }),
  };
}
