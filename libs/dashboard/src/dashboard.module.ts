import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import {
  type Abstract,
  type CanActivate,
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ApiRoutes, EmailsService, refuse, SecretKeys, StagingSwitch, UnsubscribePreview } from 'nestjs-emails';
import { folder } from '#dashboard-folder';
import { ApiHandover } from './api/api-handover.js';
import { checkOptions, mountOf } from './dashboard.options.check.js';
import type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';
import { PagePart } from './document/page.part.js';
import { readPageFiles } from './document/page-files.js';
import { FramesPart } from './frames/frames.part.js';
import { type Part, visitOf } from './http/visit.js';
import { type FindEmail, InboxPart } from './inbox/inbox.part.js';
import { MessageParser } from './inbox/message-parser.js';
import { OperationsPart } from './operations/operations.part.js';
import { DashboardSignIn } from './session/dashboard-sign-in.js';
import { EndedSessions } from './session/ended-sessions.js';
import { HostVisitors } from './session/host-visitors.js';
import { KeyVisitors } from './session/key-visitors.js';
import { OperatorSessions } from './session/operator-sessions.js';
import { SessionPart } from './session/session.part.js';
import type { CookieScope } from './session/session-cookie.js';
import { SessionTokens } from './session/session-token.js';
import type { Visitors } from './session/visitors.js';
import { pausesOf } from './status/pauses-of.js';
import { stagingOf } from './status/staging-of.js';
import { StatusPart } from './status/status.part.js';

const OPTIONS = Symbol('nestjs-emails-dashboard options');
const EXTRAS = Symbol('nestjs-emails-dashboard extras');
const PAGE = new URL('page/', folder);

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

/**
 * A page for people, in any application with `EmailsModule`: sent emails and their outcomes.
 *
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     EmailsDashboardModule.forRootAsync({
 *       inject: [ApiKeyResolver],
 *       useFactory: (keys: ApiKeyResolver) => ({ keys, secretKeys }),
 *     }),
 *   ],
 * })
 * export class PageModule {}
 * ```
 */
@Module({})
export class EmailsDashboardModule extends ConfigurableModuleClass implements NestModule {
  private readonly mount: string;
  private readonly tokens: SessionTokens;
  private readonly ended: EndedSessions;

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
    this.mount = mountOf(extras.path);
    const secrets = options.secretKeys?.length ? options.secretKeys : [randomBytes(32).toString('base64url')];
    this.ended = new EndedSessions(options.keys);
    this.tokens = new SessionTokens(new SecretKeys(secrets).for('dashboard sessions v1'));
  }

  /** @internal Before the routes exist: requests below the mount path never reach them, except those handed over. */
  async configure(): Promise<void> {
    const { httpAdapter } = this.adapterHost;
    if (httpAdapter?.getType?.() !== 'express') {
      throw new Error('The dashboard needs Express (`@nestjs/platform-express`).');
    }
    const routes = new ApiRoutes(this.adapterHost);
    const visitors = await this.visitors();
    const handover = new ApiHandover(this.mount, routes, visitors);
    const { stack } = httpAdapter.getInstance<{ router: { stack: unknown[] } }>().router;
    httpAdapter.use(handover.rename);
    stack.unshift(...stack.splice(-1));
    httpAdapter.use(handover.admit);
    httpAdapter.use(serve(this.mount, this.parts(routes, visitors)));
  }

  private parts(routes: ApiRoutes, visitors: Visitors): Part[] {
    const { publicUrl, inbox, operations, status, environment, accountName } = this.options;
    const emails = found<EmailsService>(this.moduleRef, EmailsService);
    const parser = inbox && new MessageParser(inbox);
    const framed = inbox && parser && { parser, onlyThisMachine: inbox.onlyThisMachine };
    const staging = stagingOf(found(this.moduleRef, StagingSwitch));
    const choices = found(this.moduleRef, UnsubscribePreview);
    const pauseOf = pausesOf(emails);
    const surroundings = {
      version: versionOf(),
      publicUrl,
      inbox,
      environment,
      accountName,
      hasOperations: operations !== undefined,
      hasChoices: choices !== undefined,
      status,
      staging,
      pauseOf,
    };
    return [
      new SessionPart(visitors, routes, surroundings),
      new FramesPart({ emails, inbox: framed, choices }, visitors),
      ...(inbox && parser ? [new InboxPart(inbox, parser, visitors, finderOf(emails))] : []),
      ...(status || staging || pauseOf ? [new StatusPart(status, staging, pauseOf, visitors)] : []),
      ...(operations
        ? [new OperationsPart(operations, new OperatorSessions(this.tokens, this.scope, this.ended), visitors, emails)]
        : []),
      new PagePart(this.mount, readPageFiles(fileURLToPath(PAGE))),
    ];
  }

  private async visitors(): Promise<Visitors> {
    const { keys, accountResolver, publicUrl } = this.options;
    if (keys) return new KeyVisitors(keys, this.tokens, this.invitations, this.scope, this.ended);
    if (!accountResolver) throw new Error('EmailsDashboardModule: `accountResolver` is missing.');
    const guards = (this.extras.guards ?? []).map((guard) => this.moduleRef.create<CanActivate>(guard));
    return new HostVisitors(await Promise.all(guards), accountResolver, publicUrl);
  }

  private get scope(): CookieScope {
    return { mount: this.mount, publicUrl: this.options.publicUrl };
  }
}

/** Undefined if the application has no such provider. */
function found<T>(moduleRef: ModuleRef, token: Type<T> | Abstract<T>): T | undefined {
  try {
    return moduleRef.get<T>(token, { strict: false });
  } catch {
    return undefined;
  }
}

/** Finds emails by the content of their messages. */
function finderOf(emails: EmailsService | undefined): FindEmail {
  return async (accountId, messageId) => {
    const list = await emails?.list(accountId, { message_id: messageId, limit: 1 }).catch(() => undefined);
    return list?.data[0]?.id ?? null;
  };
}

function serve(mount: string, parts: readonly Part[]) {
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const visit = visitOf(mount, request, response);
    if (!visit) return next();
    try {
      for (const part of parts) if (await part.handle(visit)) return;
    } catch (error) {
      refuse(error, request, response);
    }
  };
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', folder), 'utf8'));
  return version;
}
