import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Type } from '@nestjs/common';

const CONTROLLER = Symbol('nestjs-emails controller of a route');

export type Next = (error?: unknown) => void;
export type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => unknown;

/** What Express 5 has in its stack: a route, or a middleware. */
export interface Layer {
  handle: Handler;
  /** Truthy when it is for this path. @throws URIError when the path cannot be decoded */
  match(path: string): unknown;
  /** True of a middleware that is not bound to a path. */
  slash?: boolean;
  route?: { path: string; methods: Readonly<Record<string, boolean>>; stack: readonly { handle: Handler }[] };
}

/** An application of Express 5. */
export interface ExpressApp {
  router?: { stack?: Layer[] };
  all(path: string, handler: Handler): unknown;
  use(handler: (error: unknown, ...rest: Parameters<Handler>) => unknown): unknown;
}

/** The layer of a route. */
export type RouteLayer = Layer & Required<Pick<Layer, 'route'>>;

/** Says whose a route is. Nest gives what is said of a method to the handler that it makes of it. */
export function markRoute(method: object, controller: Type): void {
  Reflect.defineMetadata(CONTROLLER, controller, method);
}

/** The routes of these controllers, as Nest has put them into Express, with whatever prefix and version. */
export function routesOf(app: ExpressApp, controllers: readonly Type[]): RouteLayer[] {
  const isOurs = ({ handle }: { handle: Handler }) =>
    controllers.includes(Reflect.getMetadata(CONTROLLER, handle) as Type);
  return (app.router?.stack ?? []).filter((layer): layer is RouteLayer => layer.route?.stack.some(isOurs) ?? false);
}

const libraryRoutes = new WeakMap<ExpressApp, RouteLayer[]>();

/** Notes that these are routes of the library. */
export function noteRoutes(app: ExpressApp, routes: readonly RouteLayer[]): void {
  libraryRoutes.set(app, [...(libraryRoutes.get(app) ?? []), ...routes]);
}

/** Whether a route of the library has this path, for whatever method. */
export function hasRoute(app: ExpressApp, request: IncomingMessage): boolean {
  return libraryRoutes.get(app)?.some(isAt(pathOf(request))) ?? false;
}

/** Without what cannot be decoded, and as it will be once a middleware has made single slashes of doubled ones. */
function pathOf({ url = '' }: IncomingMessage): string {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return path.replaceAll(/\/{2,}/g, '/').replaceAll('%', '.');
}

const isAt = (path: string) => (layer: Layer) => Boolean(layer.match(path));
