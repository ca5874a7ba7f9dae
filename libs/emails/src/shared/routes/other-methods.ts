import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { lackingWithin } from '../http/lacking-paths.js';
import type { ExpressApp, RouteLayer } from './express-routes.js';
import { spareSpecialPaths } from './special-paths.js';

const REFUSAL = Symbol('nestjs-emails refusal of a method');
/** Methods in the order of `Allow`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface OtherRequest extends IncomingMessage {
  [REFUSAL]?: ApiError;
}

/** The refusal of a request whose path has other methods, or exists only in Resend's API. */
export function refusalOfMethod(request: OtherRequest): ApiError | undefined {
  return request[REFUSAL];
}

/**
 * Adds routes after all others, including the host's: any other method on one of these paths passes the guards of that
 * route, the last of which refuses it. Of two matching paths the more specific one answers.
 *
 * @returns the added routes
 */
export function refuseOtherMethods(app: ExpressApp, routes: readonly RouteLayer[]): RouteLayer[] {
  const before = app.router?.stack?.length ?? 0;
  for (const path of new Set(routes.map(({ route }) => route.path))) {
    const here = routes.map(({ route }) => route).filter((route) => route.path === path);
    const allowed = METHODS.filter((method) => here.some(({ methods }) => methods[method.toLowerCase()]));
    const handle = here[0]?.stack[0]?.handle;
    app.all(path, (request: OtherRequest, response, next) => {
      const lacking = lackingWithin(path, request.url ?? '');
      request[REFUSAL] = lacking === undefined ? ApiError.methodNotAllowed(allowed) : ApiError.notFound(lacking);
      return handle?.(request, response, next);
    });
  }
  const others = (app.router?.stack ?? [])
    .slice(before)
    .filter((layer): layer is RouteLayer => layer.route !== undefined);
  spareSpecialPaths([...routes, ...others]);
  return others;
}
