import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { HttpAdapterHost } from '@nestjs/core';
import { type ExpressApp, placeOf } from './express-routes.js';

/**
 * Where somebody on this machine reaches what is at a route of the library, without that route's own path. Undefined while
 * the application does not listen on a port, and where it has no such route. What proxies and requests say is not asked:
 * a request could lead others to an address of its choice.
 *
 * @param route path of a route, as Express has it
 */
export function listeningAddress({ httpAdapter }: HttpAdapterHost, route: string): string | undefined {
  if (httpAdapter?.getType?.() !== 'express') return undefined;
  const place = placeOf(httpAdapter.getInstance<ExpressApp>(), route);
  const server: Server | undefined = httpAdapter.getHttpServer();
  const bound = server?.address() ?? null;
  if (place === undefined || bound === null || typeof bound === 'string') return undefined;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${reachable(bound.address)}:${bound.port}${place.slice(0, -route.length)}`;
}

function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}
