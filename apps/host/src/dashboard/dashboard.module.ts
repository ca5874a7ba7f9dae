import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ApiKeyResolver } from 'nestjs-emails/access';
import { EmailsDashboardModule, type EmailsDashboardOptions } from 'nestjs-emails-dashboard';
import type { Settings } from '../config/settings.js';
import type { Inbox } from '../embedded/inbox/inbox.js';
import { BOARD_PATH } from '../operations/board/board-path.js';
import { accountName } from './account-name.js';
import { developmentInbox } from './development-inbox.js';
import { OperatorsReport } from './operators-report.js';
import { pageStatus } from './page-status.js';
import { redirectBrowsers } from './redirect-browsers.js';

const PATH = Symbol('path of the dashboard');

/** Dependencies of the page in this host. */
export interface DashboardParts {
  path: string;
  settings: Settings;
  secretKeys: readonly string[];
  inbox: Inbox | undefined;
}

/** The page, and the redirects to it. In a separate folder, which is loaded only if the page is enabled. */
@Module({})
export class DashboardModule implements NestModule {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(PATH) private readonly path: string,
  ) {}

  static register(parts: DashboardParts): DynamicModule {
    const page = EmailsDashboardModule.forRootAsync({
      path: parts.path,
      inject: [ApiKeyResolver, ModuleRef],
      useFactory: (keys: ApiKeyResolver, moduleRef: ModuleRef) => ({ keys, ...optionsOf(parts, moduleRef) }),
    });
    return { module: DashboardModule, imports: [page], providers: [{ provide: PATH, useValue: parts.path }] };
  }

  configure(): void {
    this.adapterHost.httpAdapter.use(redirectBrowsers({ '/': `${this.path}/`, '/inbox': `${this.path}/inbox` }));
  }
}

function optionsOf({ settings, secretKeys, inbox }: DashboardParts, moduleRef: ModuleRef): EmailsDashboardOptions {
  const { publicUrl, adminToken, role, inboxReleaseUrl, smtpUrls } = settings;
  return {
    secretKeys,
    status: pageStatus(moduleRef),
    accountName: accountName(moduleRef),
    ...environmentOf(inbox, smtpUrls),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(inbox && { inbox: developmentInbox(inbox, inboxReleaseUrl) }),
    ...(adminToken !== undefined && {
      operations: new OperatorsReport(adminToken, role, BOARD_PATH, moduleRef),
    }),
  };
}

/** The place that mail goes to, without the credentials of its URL; none in a process that does not know it. */
function environmentOf(
  inbox: Inbox | undefined,
  smtpUrls: readonly string[] | undefined,
): Pick<EmailsDashboardOptions, 'environment'> {
  if (inbox) return { environment: 'local inbox' };
  if (smtpUrls === undefined) return {};
  return { environment: [...new Set(smtpUrls.map((url) => new URL(url).hostname))].join(', ') };
}
