import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { ApiKeyResolver } from 'nestjs-emails/access';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';
import { features } from './features.js';
import { databaseModule, MAIL, queueModule } from './infrastructure.js';
import { settings } from './settings.js';
import { staffPage } from './staff-page.js';

const redis = settings.redisUrl ? new Redis(settings.redisUrl, { enableOfflineQueue: false }) : undefined;

const emails = EmailsModule.forRoot({
  features: features(redis),
  dataSource: MAIL,
  transport: new SmtpTransport({ url: settings.smtpUrl, hop: 'final' }),
});

/** At `/dashboard`, for keys with full access. */
const dashboard = EmailsDashboardModule.forRootAsync({
  imports: [emails],
  inject: [ApiKeyResolver],
  useFactory: (keys: ApiKeyResolver) => ({ keys }),
});

@Module({ imports: [databaseModule, queueModule, emails, dashboard, staffPage] })
export class AppModule {
  async onApplicationShutdown(): Promise<void> {
    await redis?.quit();
  }
}
