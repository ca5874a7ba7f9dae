import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeyResolver } from 'nestjs-emails/access';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';
import { leadBrowsers } from './lead-browsers.js';

const PATH = Symbol('path of the dashboard');

/** What the page needs of this host. */
export interface DashboardParts {
  /** `DASHBOARD_PATH` */
  path: string;
  secretKeys: readonly string[];
  publicUrl: string | undefined;
}

/** The page, and the ways to it. In a folder of its own that is loaded only where there is a page. */
@Module({})
export class DashboardModule implements NestModule {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(PATH) private readonly path: string,
  ) {}

  static register({ path, secretKeys, publicUrl }: DashboardParts): DynamicModule {
    return {
      module: DashboardModule,
      imports: [
        EmailsDashboardModule.forRootAsync({
          path,
          inject: [ApiKeyResolver],
          useFactory: (keys: ApiKeyResolver) => ({ keys, secretKeys, ...(publicUrl !== undefined && { publicUrl }) }),
        }),
      ],
      providers: [{ provide: PATH, useValue: path }],
    };
  }

  configure(): void {
    this.adapterHost.httpAdapter.use(leadBrowsers({ '/': `${this.path}/`, '/inbox': `${this.path}/inbox` }));
  }
}
