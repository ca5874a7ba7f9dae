import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { AccessModule, ApiKeyGuard, ApiKeyResolver, RateLimitGuard } from 'nestjs-emails/access';
import { AudienceModule, ContactTopicPolicy } from 'nestjs-emails/audience';
import { PublishedTemplateSource, TemplatesModule } from 'nestjs-emails/templates';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';
import { databaseModule, MAIL, queueModule } from './infrastructure.js';
import { settings } from './settings.js';

const redis = settings.redisUrl ? new Redis(settings.redisUrl, { enableOfflineQueue: false }) : undefined;

const access = AccessModule.forRoot({
  dataSource: MAIL,
  isGlobal: true,
  rateLimit: { perSecond: settings.rateLimit, ...(redis && { redis }) },
});

/** Whoever has a key comes to the routes of the other modules. */
const behindKeys = {
  dataSource: MAIL,
  guards: [ApiKeyGuard, RateLimitGuard],
  inject: [ApiKeyResolver],
  useFactory: (accountResolver: ApiKeyResolver) => ({ accountResolver }),
};
const audience = AudienceModule.forRootAsync(behindKeys);
const templates = TemplatesModule.forRootAsync(behindKeys);

const emails = EmailsModule.forRootAsync({
  dataSource: MAIL,
  guards: behindKeys.guards,
  imports: [audience, templates],
  inject: [ApiKeyResolver, ContactTopicPolicy, PublishedTemplateSource],
  useFactory: (
    accountResolver: ApiKeyResolver,
    topicPolicy: ContactTopicPolicy,
    templateSource: PublishedTemplateSource,
  ) => ({
    accountResolver,
    topicPolicy,
    templateSource,
    transport: new SmtpTransport({ url: settings.smtpUrl, hop: 'final' }),
  }),
});

/** At `/dashboard`, for whoever has a key with full access. */
const dashboard = EmailsDashboardModule.forRootAsync({
  inject: [ApiKeyResolver],
  useFactory: (keys: ApiKeyResolver) => ({ keys }),
});

@Module({ imports: [databaseModule, queueModule, access, audience, templates, emails, dashboard] })
export class AppModule {
  async onApplicationShutdown(): Promise<void> {
    await redis?.quit();
  }
}
