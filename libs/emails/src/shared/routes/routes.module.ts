import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnModuleInit,
  type Type,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { VERSION_METADATA } from '@nestjs/common/constants.js';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { refuse } from '../http/refuse.js';
import { BodyParserCheck } from './body-parser.check.js';
import { type ExpressApp, type Handler, hasRoute, noteRoutes, routesOf } from './express-routes.js';
import { refuseOtherMethods } from './other-methods.js';

const ROUTES = Symbol('nestjs-emails routes');

/** The routes of a module of the library. */
export interface Routes {
  /** Name of its class. */
  module: string;
  /** From `guarded`. */
  controllers: readonly Type[];
  /** Middleware before all routes of the application. */
  middleware: readonly Handler[];
}

/** Settings of one module's routes in the application around them. */
@Module({ providers: [BodyParserCheck] })
export class RoutesModule implements NestModule, OnModuleInit {
  static register(routes: Routes): DynamicModule {
    return { module: RoutesModule, providers: [{ provide: ROUTES, useValue: routes }] };
  }

  constructor(
    @Inject(ROUTES) private readonly routes: Routes,
    private readonly adapterHost: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Before the routes exist. Not through the consumer, since Express passes only the rest of the path to a middleware
   * with a path.
   */
  configure(): void {
    const app = this.express();
    this.adoptVersion();
    for (const middleware of this.routes.middleware) app?.use(middleware as never);
  }

  /** After all routes exist, and before the handler of unknown paths. */
  onModuleInit(): void {
    const app = this.express();
    if (!app) return;
    const routes = routesOf(app, this.routes.controllers);
    noteRoutes(app, [...routes, ...refuseOtherMethods(app, routes)]);
    app.use((error: unknown, request: IncomingMessage, response: ServerResponse, next) => {
      if (hasRoute(app, request)) refuse(error, request, response);
      else next(error);
    });
  }

  /** Undefined without an HTTP server. @throws Error on another server than Express */
  private express(): ExpressApp | undefined {
    const adapter = this.adapterHost.httpAdapter;
    const type = adapter?.getType?.();
    if (!type) return undefined;
    if (type === 'express') return adapter.getInstance();
    throw new Error(
      `${this.routes.module}: its routes need Express (\`@nestjs/platform-express\`), and this application has ${type}. ` +
        "Without its routes it runs there: `routes: false`, or `role: 'worker'`.",
    );
  }

  /**
   * Under the version in the path, if the host has one. Resend's clients send no version in another way, so the routes
   * have none then.
   */
  private adoptVersion(): void {
    // biome-ignore lint/complexity/useLiteralKeys: no public API has it before the routes exist
    const type = this.moduleRef['container'].applicationConfig?.getVersioning()?.type;
    const isElsewhere = type !== undefined && type !== VersioningType.URI;
    for (const controller of this.routes.controllers) {
      if (isElsewhere) Reflect.defineMetadata(VERSION_METADATA, VERSION_NEUTRAL, controller);
      else Reflect.deleteMetadata(VERSION_METADATA, controller);
    }
  }
}
