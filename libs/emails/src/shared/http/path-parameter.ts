import type { IncomingMessage } from 'node:http';

/**
 * What stands in the path of a request for a parameter of its route, decoded. Unlike `@Param`, no global pipe of the host
 * comes between.
 */
export function pathParameter(request: IncomingMessage & { params?: Record<string, string> }, name: string): string {
  return request.params?.[name] ?? '';
}
