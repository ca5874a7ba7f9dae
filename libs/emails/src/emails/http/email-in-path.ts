import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { lackingAt } from '../../shared/http/lacking-paths.js';
import { pathId, pathParameter } from '../../shared/http/path-parameter.js';

/**
 * The id of an email in the path of a request, as PostgreSQL writes it.
 *
 * @throws ApiError 404 where Resend has something else at this place, 422 for whatever else is no UUID
 */
export function emailInPath(request: IncomingMessage): string {
  const lacking = lackingAt(`/emails/${pathParameter(request, 'id')}`);
  if (lacking !== undefined) throw ApiError.notFound(lacking);
  return pathId(request).toLowerCase();
}
