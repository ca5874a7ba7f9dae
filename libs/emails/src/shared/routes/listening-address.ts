import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { HttpAdapterHost } from '@nestjs/core';
import { type ExpressApp, mountPathOf } from './express-routes.js';

/**
 * The address of a route of the library on this machine, without the route's own path. Undefined while the application
 * does not listen on a port, and without such a route. Headers of proxies and requests are not used: a request could
 * choose the address that others get.
 *
 * @param route path of a route in Express
 */
export function listeningAddress({ httpAdapter }: HttpAdapterHost, route: string): string | undefined {
  const mountPath = pathOf(httpAdapter, route);
  if (mountPath === undefined) return undefined;
  const server: Server | undefined = httpAdapter.getHttpServer();
  const bound = server?.address() ?? null;
  if (bound === null || typeof bound === 'string') return undefined;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${reachable(bound.address)}:${bound.port}${mountPath.slice(0, -route.length)}`;
}

/** True if the application has a route of the library, which is so before it listens. @param route its path in Express */
export function hasRoute({ httpAdapter }: HttpAdapterHost, route: string): boolean {
  return pathOf(httpAdapter, route) !== undefined;
}

function pathOf(httpAdapter: HttpAdapterHost['httpAdapter'], route: string): string | undefined {
  if (httpAdapter?.getType?.() !== 'express') return undefined;
  return mountPathOf(httpAdapter.getInstance<ExpressApp>(), route);
}

function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}
