import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Type } from '@nestjs/common';

const CONTROLLER = Symbol('nestjs-emails controller of a route');

export type Next = (error?: unknown) => void;
export type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => unknown;

/** An entry in the stack of Express 5: a route, or a middleware. */
export interface Layer {
  handle: Handler;
  /** Truthy when it is for this path. @throws URIError when the path cannot be decoded */
  match(path: string): unknown;
  /** True for a middleware without a path. */
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

/** Metadata with the controller of a route. Nest copies metadata of a method to its handler. */
export function markRoute(method: object, controller: Type): void {
  Reflect.defineMetadata(CONTROLLER, controller, method);
}

/** The routes of these controllers in Express, with any prefix and version. */
export function routesOf(app: ExpressApp, controllers: readonly Type[]): RouteLayer[] {
  const isOurs = ({ handle }: { handle: Handler }) =>
    controllers.includes(Reflect.getMetadata(CONTROLLER, handle) as Type);
  return (app.router?.stack ?? []).filter((layer): layer is RouteLayer => layer.route?.stack.some(isOurs) ?? false);
}

const libraryRoutes = new WeakMap<ExpressApp, Set<Layer>>();

/** Registers these as routes of the library. */
export function noteRoutes(app: ExpressApp, routes: readonly Layer[]): void {
  libraryRoutes.set(app, new Set([...(libraryRoutes.get(app) ?? []), ...routes]));
}

/** Where the host has mounted a route of the library, with any prefix and version. */
export function mountPathOf(app: ExpressApp, path: string): string | undefined {
  return [...(libraryRoutes.get(app) ?? [])].find(({ route }) => route?.path.endsWith(path))?.route?.path;
}

/** True if the library has a route at exactly this path. */
export function isMounted(app: ExpressApp, path: string): boolean {
  return [...(libraryRoutes.get(app) ?? [])].some(({ route }) => route?.path === path);
}

/** True if a request is for a route of the library: the first route that matches its path and method. */
export function hasRoute(app: ExpressApp, request: IncomingMessage): boolean {
  const path = pathOf(request);
  const method = request.method === 'HEAD' ? 'get' : (request.method ?? '').toLowerCase();
  const first = app.router?.stack?.find((layer) => layer.route?.methods[method] && layer.match(path));
  return first !== undefined && (libraryRoutes.get(app)?.has(first) ?? false);
}

/** True if a middleware for a path also covers routes of the library. */
export function isBeforeRoutes(app: ExpressApp, middleware: Layer): boolean {
  const paths = [...(libraryRoutes.get(app) ?? [])].map(({ route }) => route?.path.replaceAll(/:\w+/g, 'x'));
  return paths.some((path) => path !== undefined && middleware.match(path));
}

/** The decodable part of the path, with single slashes, into which a middleware will turn doubled ones. */
function pathOf({ baseUrl = '', url = '' }: IncomingMessage & { baseUrl?: string }): string {
  const path = (baseUrl + url).replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return path.replaceAll(/\/{2,}/g, '/').replaceAll('%', '.');
}
