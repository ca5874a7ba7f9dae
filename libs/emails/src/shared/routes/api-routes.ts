import type { IncomingMessage } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import { type ExpressApp, hasRoute, isMounted, mountPathOf } from './express-routes.js';

/** Routes that reveal the prefix: each module has one of them, and a host may use any module alone. */
const OF_MODULES = ['/emails', '/contacts', '/templates', '/webhooks', '/api-keys'];

/**
 * The routes of the package in an application, for code in front of them. Known once the application has started.
 *
 * @example
 * ```ts
 * const routes = app.get(ApiRoutes);
 * const address = `https://api.example.com${routes.prefix}/emails`;
 * ```
 */
export class ApiRoutes {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** Prefix of the paths of the API: the host's prefix and version; empty without them. */
  get prefix(): string {
    for (const route of OF_MODULES) {
      const mountPath = mountPathOf(this.express(), route);
      if (mountPath !== undefined) return mountPath.slice(0, -route.length);
    }
    return '';
  }

  /** True if there is a route of the package at this path of the API, such as `/webhooks`. */
  has(path: string): boolean {
    return isMounted(this.express(), this.prefix + path);
  }

  /** True if the package has a route at the path of a request, with any method. */
  answer(request: IncomingMessage): boolean {
    return hasRoute(this.express(), request);
  }

  private express(): ExpressApp {
    return this.adapterHost.httpAdapter.getInstance<ExpressApp>();
  }
}
