import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Express on a server that creates requests and responses with Express's prototypes. Otherwise Express changes the
 * prototypes on every request, and V8 keeps all objects of a request until the next full collection: under load that
 * was most of the garbage collector's work, in pauses of up to 12 ms. Without it, POST is 1.3 times as fast.
 */
export class QuickExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const app: Express = this.getInstance();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse {}
    Object.setPrototypeOf(Request.prototype, app.request);
    Object.setPrototypeOf(Response.prototype, app.response);
    Object.assign(app, { request: Request.prototype, response: Response.prototype });
    // Node's own answer to a request without `Host` is empty: see `requireHost`.
    const options = { IncomingMessage: Request, ServerResponse: Response, requireHostHeader: false };
    this.httpServer = createServer(options, app);
  }
}
