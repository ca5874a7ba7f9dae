import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { isUuid } from '../text/is-uuid.js';

/**
 * Returns the decoded value of a route's parameter. Unlike `@Param`, it bypasses global pipes of the host.
 */
export function pathParameter(request: IncomingMessage & { params?: Record<string, string> }, name: string): string {
  return request.params?.[name] ?? '';
}

/** The UUID of a route's parameter. @throws ApiError 422 for any other text */
export function pathId(request: IncomingMessage, name = 'id'): string {
  const id = pathParameter(request, name);
  if (!isUuid(id)) throw ApiError.invalidId();
  return id;
}
