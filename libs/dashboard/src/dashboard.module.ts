import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import {
  type CanActivate,
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ApiRoutes, refuse, SecretKeys } from 'nestjs-emails';
import { ApiHandover } from './api/api-handover.js';
import { checkOptions, mountOf } from './dashboard.options.check.js';
import type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';
import { PagePart } from './document/page.part.js';
import { readPageFiles } from './document/page-files.js';
import { type Part, visitOf } from './http/visit.js';
import { DashboardSignIn } from './session/dashboard-sign-in.js';
import { HostVisitors } from './session/host-visitors.js';
import { KeyVisitors } from './session/key-visitors.js';
import { SessionPart } from './session/session.part.js';
import { SessionTokens } from './session/session-token.js';
import type { Visitors } from './session/visitors.js';

const OPTIONS = Symbol('nestjs-emails-dashboard options');
const EXTRAS = Symbol('nestjs-emails-dashboard extras');
const PAGE = new URL('./page/', import.meta.url);

interface Layer {
  handle: unknown;
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<EmailsDashboardOptions>({
  optionsInjectionToken: OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<EmailsDashboardExtras>({}, (definition, extras) => ({
    ...definition,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
    providers: [...(definition.providers ?? []), { provide: EXTRAS, useValue: extras }, DashboardSignIn],
    exports: [DashboardSignIn],
  }))
  .build();

/** A page for people, in any application that has `EmailsModule`: what was sent, and what became of it. */
@Module({})
export class EmailsDashboardModule extends ConfigurableModuleClass implements NestModule {
  /** @internal Made by Nest. */
  constructor(
    @Inject(OPTIONS) private readonly options: EmailsDashboardOptions,
    @Inject(EXTRAS) private readonly extras: EmailsDashboardExtras,
    private readonly adapterHost: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
    private readonly invitations: DashboardSignIn,
  ) {
    super();
    checkOptions(options, extras);
  }

  /** @internal Before the routes exist: what is below the mount path never reaches them, but for what is handed over. */
  async configure(): Promise<void> {
    const { httpAdapter } = this.adapterHost;
    if (httpAdapter?.getType?.() !== 'express')
      throw new Error('The dashboard needs Express (`@nestjs/platform-express`).');
    const mount = mountOf(this.extras.path);
    const routes = new ApiRoutes(this.adapterHost);
    const visitors = await this.visitors(mount);
    const handover = new ApiHandover(mount, routes, visitors);
    const parts = this.parts(mount, routes, visitors);
    const { stack } = httpAdapter.getInstance<{ router: { stack: Layer[] } }>().router;
    httpAdapter.use(handover.rename);
    stack.unshift(...stack.splice(-1));
    httpAdapter.use(handover.admit);
    httpAdapter.use(serve(mount, parts));
  }

  private parts(mount: string, routes: ApiRoutes, visitors: Visitors): Part[] {
    const { publicUrl } = this.options;
    const surroundings = { version: versionOf(), publicUrl, hasInbox: false, hasOperations: false };
    return [new SessionPart(visitors, routes, surroundings), new PagePart(mount, readPageFiles(fileURLToPath(PAGE)))];
  }

  private async visitors(mount: string): Promise<Visitors> {
    const { keys, accountResolver, publicUrl, secretKeys } = this.options;
    if (keys) {
      const secrets = secretKeys?.length ? secretKeys : [randomBytes(32).toString('base64url')];
      const tokens = new SessionTokens(new SecretKeys(secrets).for('dashboard sessions v1'));
      return new KeyVisitors(keys, tokens, this.invitations, { mount, publicUrl });
    }
    if (!accountResolver) throw new Error('EmailsDashboardModule: `accountResolver` is missing.');
    const guards = await Promise.all((this.extras.guards ?? []).map((guard) => this.made(guard)));
    return new HostVisitors(guards, accountResolver, publicUrl);
  }

  private made(guard: Type<CanActivate>): Promise<CanActivate> {
    return this.moduleRef.create(guard);
  }
}

function serve(mount: string, parts: readonly Part[]) {
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const visit = visitOf(mount, request, response);
    if (!visit) return next();
    try {
      for (const part of parts) if (await part.take(visit)) return;
    } catch (error) {
      refuse(error, request, response);
    }
  };
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}
