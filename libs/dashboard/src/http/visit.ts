import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request for something below the mount path. */
export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  /** What follows the mount path, without a slash before it: `session`, `assets/x.js`; empty for the mount path itself. */
  path: string;
  query: URLSearchParams;
}

/** A part of what is below the mount path. */
export interface Part {
  /** @returns false when the visit is not for this part. @throws ApiError to refuse */
  take(visit: Visit): Promise<boolean> | boolean;
}

/** Undefined when the request is for something else than what is below `mount`, which begins with a slash and ends with none. */
export function visitOf(mount: string, request: IncomingMessage, response: ServerResponse): Visit | undefined {
  const [path = '', ...query] = (request.url ?? '').split('?');
  if (path !== mount && !path.startsWith(`${mount}/`)) return undefined;
  return {
    request,
    response,
    // What HEAD leaves out is left out by Node.
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? ''),
    path: path.slice(mount.length + 1),
    query: new URLSearchParams(query.join('?')),
  };
}
