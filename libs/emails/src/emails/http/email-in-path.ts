import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { lackingAt } from '../../shared/http/lacking-paths.js';
import { pathId, pathParameter } from '../../shared/http/path-parameter.js';
import { parameter } from '../../shared/routes/parameters.js';

/**
 * The id of an email in the path of a request, in PostgreSQL's format.
 *
 * @throws ApiError 404 for a path of Resend at this position, 422 for any other text that is not a UUID
 */
function emailInPath(request: IncomingMessage): string {
  const lacking = lackingAt(`/emails/${pathParameter(request, 'id')}`);
  if (lacking !== undefined) throw ApiError.notFound(lacking);
  return pathId(request).toLowerCase();
}

/** The id of the email in the path. */
export const EmailInPath = () => parameter('path', ({ request }) => emailInPath(request));
