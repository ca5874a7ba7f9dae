import type { INestApplication } from '@nestjs/common';
import { type ExpressApp, type Handler, hasRoute, isBeforeRoutes, type Layer } from './express-routes.js';

/** Names of `express.json()` and similar parsers. */
const PARSERS = new Set(['jsonParser', 'rawParser', 'textParser', 'urlencodedParser']);

const kept = new WeakSet<ExpressApp>();

/**
 * Lets an application keep its body parsers: Nest's own, with or without `rawBody`, and those of `app.use` and
 * `useBodyParser`. They skip requests for a route of the library, which reads its bodies itself, after its guards. Call
 * it before the application is initialized or listens.
 *
 * @example
 * ```ts
 * keepBodyParsers(app); // before `app.listen()`
 * ```
 */
export function keepBodyParsers(app: Pick<INestApplication, 'getHttpAdapter'>): void {
  kept.add(app.getHttpAdapter().getInstance());
}

/** True if an application wants to keep its parsers. */
export function keepsBodyParsers(app: ExpressApp): boolean {
  return kept.has(app);
}

/** The parsers in front of all routes, or of some of the library's. */
export function globalParsersOf(app: ExpressApp): Layer[] {
  const parsers = (app.router?.stack ?? []).filter(({ handle }) => PARSERS.has(handle?.name));
  return parsers.filter((parser) => parser.slash !== false || isBeforeRoutes(app, parser));
}

/** Makes a parser skip requests for a route of the library. */
export function spareOwnRoutes(app: ExpressApp, parser: Layer): void {
  const parse: Handler = parser.handle;
  parser.handle = function sparingParser(request, response, next) {
    if (hasRoute(app, request)) next();
    else parse(request, response, next);
  };
}
