import type { IncomingMessage } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import { type ExpressApp, hasPlace, hasRoute, placeOf } from './express-routes.js';

/** By which the prefix is known: each module has one of them, and a host may have any module alone. */
const OF_MODULES = ['/emails', '/contacts', '/templates', '/webhooks', '/api-keys'];

/** The routes of the package in an application, for what stands in front of them. Known once the application has started. */
export class ApiRoutes {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** What comes before the paths of the API: the host's prefix and version; empty where there is none. */
  get prefix(): string {
    for (const route of OF_MODULES) {
      const place = placeOf(this.express(), route);
      if (place !== undefined) return place.slice(0, -route.length);
    }
    return '';
  }

  /** Whether there is a route of the package at this path of the API, such as `/webhooks`. */
  has(path: string): boolean {
    return hasPlace(this.express(), this.prefix + path);
  }

  /** Whether a route of the package is there for a request, whatever its method. */
  answer(request: IncomingMessage): boolean {
    return hasRoute(this.express(), request);
  }

  private express(): ExpressApp {
    return this.adapterHost.httpAdapter.getInstance<ExpressApp>();
  }
}
