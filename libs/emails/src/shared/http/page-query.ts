import { ApiError } from '../errors/api-error.js';
import type { PageRequest } from '../rows/page.js';
import { DEFAULT_LIMIT, PageQueryDto } from './page-query.dto.js';
import { readQuery } from './query.js';

/**
 * Checks the requested page.
 *
 * @param unlimited size of a page without a limit
 * @throws ApiError 422
 */
export function toPageRequest(query: PageQueryDto, unlimited = DEFAULT_LIMIT): PageRequest {
  const { limit, after, before } = readQuery(PageQueryDto, { ...query });
  if (after !== undefined && before !== undefined) throw ApiError.invalid('Give `after` or `before`, not both.');
  return {
    limit: limit === undefined ? unlimited : Number(limit),
    ...(after !== undefined && { cursor: { direction: 'older' as const, id: after } }),
    ...(before !== undefined && { cursor: { direction: 'newer' as const, id: before } }),
  };
}
