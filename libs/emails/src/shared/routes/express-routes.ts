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

const libraryRoutes = new WeakMap<ExpressApp, Set<Layer>>();

/** Notes that these are routes of the library. */
export function noteRoutes(app: ExpressApp, routes: readonly Layer[]): void {
  libraryRoutes.set(app, new Set([...(libraryRoutes.get(app) ?? []), ...routes]));
}

/** Where the host has put a route of the library, with whatever prefix and version. */
export function placeOf(app: ExpressApp, path: string): string | undefined {
  return [...(libraryRoutes.get(app) ?? [])].find(({ route }) => route?.path.endsWith(path))?.route?.path;
}

/** Whether the library has a route at exactly this path. */
export function hasPlace(app: ExpressApp, path: string): boolean {
  return [...(libraryRoutes.get(app) ?? [])].some(({ route }) => route?.path === path);
}

/** Whether a request is for a route of the library: the first that answers to its path and method. */
export function hasRoute(app: ExpressApp, request: IncomingMessage): boolean {
  const path = pathOf(request);
  const method = request.method === 'HEAD' ? 'get' : (request.method ?? '').toLowerCase();
  const first = app.router?.stack?.find((layer) => layer.route?.methods[method] && layer.match(path));
  return first !== undefined && (libraryRoutes.get(app)?.has(first) ?? false);
}

/** Whether a middleware for a path is also for routes of the library. */
export function isBeforeRoutes(app: ExpressApp, middleware: Layer): boolean {
  const paths = [...(libraryRoutes.get(app) ?? [])].map(({ route }) => route?.path.replaceAll(/:\w+/g, 'x'));
  return paths.some((path) => path !== undefined && middleware.match(path));
}

/** Without what cannot be decoded, and as it will be once a middleware has made single slashes of doubled ones. */
function pathOf({ baseUrl = '', url = '' }: IncomingMessage & { baseUrl?: string }): string {
  const path = (baseUrl + url).replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return path.replaceAll(/\/{2,}/g, '/').replaceAll('%', '.');
}
