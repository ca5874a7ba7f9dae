import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { isUuid } from '../text/is-uuid.js';

/**
 * What stands in the path of a request for a parameter of its route, decoded. Unlike `@Param`, no global pipe of the host
 * comes between.
 */
export function pathParameter(request: IncomingMessage & { params?: Record<string, string> }, name: string): string {
  return request.params?.[name] ?? '';
}

/** A parameter of a route whose objects are found by nothing else. @throws ApiError 422 when it is no UUID */
export function pathId(request: IncomingMessage, name = 'id'): string {
  const id = pathParameter(request, name);
  if (!isUuid(id)) throw ApiError.invalidId();
  return id;
}
