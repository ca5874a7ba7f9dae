import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request below the mount path. */
export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  /** Rest of the path after the mount path, without a leading slash: `session`, `assets/x.js`; empty for the mount path itself. */
  path: string;
  query: URLSearchParams;
}

/** A handler of paths below the mount path. */
export interface Part {
  /** @returns false when the visit is not for this part. @throws ApiError to refuse */
  handle(visit: Visit): Promise<boolean> | boolean;
}

/** Undefined for a request outside of `mount`, which starts with a slash and ends without one. */
export function visitOf(mount: string, request: IncomingMessage, response: ServerResponse): Visit | undefined {
  const [path = '', ...query] = (request.url ?? '').split('?');
  if (path !== mount && !path.startsWith(`${mount}/`)) return undefined;
  return {
    request,
    response,
    // Node omits the body of HEAD.
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? ''),
    path: path.slice(mount.length + 1),
    query: new URLSearchParams(query.join('?')),
  };
}
