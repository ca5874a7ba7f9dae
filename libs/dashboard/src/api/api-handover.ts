import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ApiRoutes, handOn, refuse } from 'nestjs-emails';
import type { Visitors } from '../session/visitors.js';

type Next = (error?: unknown) => void;

/**
 * Hands what the page asks at `{path}/api/…` over to the routes of the API, within this process. Those take no cookies; who
 * asks is said here, where it is sure that the page itself asked.
 */
export class ApiHandover {
  private readonly prefix: string;
  /** Of this page: there may be others in the same application, whose sessions are others. */
  private readonly handedOver = new WeakSet<IncomingMessage>();

  /** @param mount begins with a slash and ends with none */
  constructor(
    mount: string,
    private readonly routes: ApiRoutes,
    private readonly visitors: Visitors,
  ) {
    this.prefix = `${mount}/api`;
  }

  /** The first of all middlewares: whatever comes after it, a body parser of the host say, sees the path of the API. */
  readonly rename = (request: IncomingMessage, _response: ServerResponse, next: Next): void => {
    const { url = '' } = request;
    if (url.startsWith(`${this.prefix}/`)) {
      this.handedOver.add(request);
      request.url = this.routes.prefix + url.slice(this.prefix.length);
      // What is not of the API keeps its path, and gets its 404 from `admit`: a middleware of the host that comes first, such as
      // a queue board, would answer by the other one, past a proxy that blocks that.
      if (!this.routes.answer(request)) request.url = url;
    }
    next();
  };

  /** Before the routes, behind what `app.use` has put in front: the host's own guards may need that. */
  readonly admit = async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    if (!this.handedOver.has(request)) return next();
    try {
      if (!this.routes.answer(request)) throw ApiError.notFound();
      if (request.headers.authorization !== undefined && this.visitors.signIn === 'key') throw refuseKeys();
      const caller = await this.visitors.admit(request, response);
      if (this.visitors.signIn === 'key') handOn(request, caller);
    } catch (error) {
      return refuse(error, request, response);
    }
    next();
  };
}

function refuseKeys(): ApiError {
  return new ApiError(403, 'invalid_access', 'This is for the page. With an API key, use the API itself.');
}
