import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ApiRoutes, handOn, refuse } from 'nestjs-emails';
import type { Visitors } from '../session/visitors.js';

type Next = (error?: unknown) => void;

/**
 * Hands requests of the page at `{path}/api/…` over to the routes of the API within this process. Those routes accept
 * no cookies; the caller is set here, after the check that the page itself sent the request.
 */
export class ApiHandover {
  private readonly prefix: string;
  /** Specific to this page: an application may have several, with separate sessions. */
  private readonly handedOver = new WeakSet<IncomingMessage>();

  /** @param mount begins with a slash and ends with none */
  constructor(
    mount: string,
    private readonly routes: ApiRoutes,
    private readonly visitors: Visitors,
  ) {
    this.prefix = `${mount}/api`;
  }

  /** The first of all middlewares, so that later ones, such as a body parser of the host, see the path of the API. */
  readonly rename = (request: IncomingMessage, _response: ServerResponse, next: Next): void => {
    const { url = '' } = request;
    if (url.startsWith(`${this.prefix}/`)) {
      this.handedOver.add(request);
      request.url = this.routes.prefix + url.slice(this.prefix.length);
      // A request outside the API keeps its path, and gets its 404 from `admit`. Otherwise an earlier middleware of the
      // host, such as a queue board, would answer the rewritten path, past a proxy that blocks it.
      if (!this.routes.answer(request)) request.url = url;
    }
    next();
  };

  /** Before the routes, but after middlewares of `app.use`, which the host's guards may need. */
  readonly admit = async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    if (!this.handedOver.has(request)) return next();
    try {
      if (!this.routes.answer(request)) throw ApiError.notFound();
      if (request.headers.authorization !== undefined && this.visitors.signIn === 'key') throw refuseKeys();
      // Each route asks for the role that it needs.
      handOn(request, await this.visitors.admit(request, response, 'viewer'));
    } catch (error) {
      return refuse(error, request, response);
    }
    next();
  };
}

function refuseKeys(): ApiError {
  return new ApiError(403, 'invalid_access', 'This is for the page. With an API key, use the API itself.');
}
