import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { AccessModule, ApiKeyGuard, ApiKeyResolver, RateLimitGuard } from 'nestjs-emails/access';
import { AudienceModule, ContactEraser, ContactTopicPolicy } from 'nestjs-emails/audience';
import { PublishedTemplateSource, TemplateEraser, TemplatesModule } from 'nestjs-emails/templates';
import { WebhookEraser, WebhookSubscription, WebhooksModule } from 'nestjs-emails/webhooks';
import type { Logger } from 'pino';
import type { Infrastructure } from './bootstrap/infrastructure.js';
import type { Settings } from './config/settings.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { InboxModule } from './embedded/inbox/inbox.module.js';
import { UnknownPathFilter } from './http/unknown-path.filter.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { HealthModule } from './operations/health/health.module.js';
import { EmailLog } from './operations/logging/email-log.js';
import type { Operators } from './operations/operators.js';
import { queueConnection } from './queue/queue-connection.js';
import { ImpatientRedis } from './redis/impatient-redis.js';

/** The host: the modules of the package, and around them what belongs to a host. */
@Module({})
export class AppModule {
  static async register(settings: Settings, infrastructure: Infrastructure, logger: Logger): Promise<DynamicModule> {
    const { role, redisUrls, adminToken, queueShards } = settings;
    const { databaseUrl, directDatabaseUrl, smtpUrl, inbox, redisClients, secretKeys } = infrastructure;
    const operators = adminToken === undefined ? undefined : await operatorsOf(adminToken, queueShards);

    const redis = settings.rateLimit !== undefined && redisUrls ? new ImpatientRedis(redisUrls) : undefined;
    const access = AccessModule.forRoot({ role, isGlobal: true, ...rateLimitOf(settings, redis) });
    const feature = {
      role,
      guards: [ApiKeyGuard, RateLimitGuard],
      inject: [ApiKeyResolver],
      useFactory: (accountResolver: ApiKeyResolver) => ({ accountResolver }),
    };
    const audience = AudienceModule.forRootAsync(feature);
    const templates = TemplatesModule.forRootAsync(feature);
    const webhooks = WebhooksModule.forRootAsync({
      ...feature,
      useFactory: (accountResolver: ApiKeyResolver) => ({
        accountResolver,
        secretKeys,
        allowPrivate: settings.webhookAllowPrivate,
        ...(operators && { observer: operators.webhookMetrics }),
      }),
    });
    const emails = EmailsModule.forRootAsync({
      role,
      queueShards,
      guards: feature.guards,
      imports: [audience, templates, webhooks],
      inject: [
        ApiKeyResolver,
        ContactTopicPolicy,
        PublishedTemplateSource,
        WebhookSubscription,
        ContactEraser,
        TemplateEraser,
        WebhookEraser,
      ],
      useFactory: (
        accountResolver: ApiKeyResolver,
        topicPolicy: ContactTopicPolicy,
        templateSource: PublishedTemplateSource,
        webhookSubscription: WebhookSubscription,
        ...personErasers: [ContactEraser, TemplateEraser, WebhookEraser]
      ) => ({
        accountResolver,
        topicPolicy,
        templateSource,
        personErasers,
        requireContent: settings.requireContent,
        eventSubscriptions: [webhookSubscription],
        transport: new SmtpTransport({ url: smtpUrl, hop: settings.smtpHop }),
        secretKeys,
        ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
        // A pooler gives each statement to another connection.
        preparedStatements: directDatabaseUrl === databaseUrl,
        ...timesOf(settings),
        observers: [new EmailLog(logger), ...(operators ? [operators.metrics] : [])],
        eventListeners: operators ? [operators.metrics] : [],
      }),
    });
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(databaseUrl), retryAttempts: 0 }),
        BullModule.forRoot(queueConnection({ databaseUrl: directDatabaseUrl, redisUrls, redisClients })),
        access,
        audience,
        templates,
        webhooks,
        emails,
        HealthModule.register(settings, smtpUrl),
        ...(inbox === undefined ? [] : [InboxModule.register(inbox)]),
        ...(operators?.modules(emails, webhooks) ?? []),
        ...(await dashboardOf(settings, infrastructure)),
      ],
      controllers: role === 'worker' ? [] : [OpenApiController],
      providers: [
        { provide: APP_FILTER, useClass: UnknownPathFilter },
        ...(redis ? [{ provide: ImpatientRedis, useFactory: () => redis }] : []),
      ],
    };
  }
}

function rateLimitOf({ rateLimit: perSecond }: Settings, redis: ImpatientRedis | undefined) {
  return perSecond === undefined ? {} : { rateLimit: { perSecond, ...(redis && { redis: redis.client }) } };
}

function timesOf({ contentRetention, eventRetention, retrySchedule, sweepInterval }: Settings) {
  return {
    retention: {
      ...(contentRetention !== undefined && { content: contentRetention }),
      ...(eventRetention !== undefined && { events: eventRetention }),
    },
    delivery: {
      ...(retrySchedule !== undefined && { retrySchedule }),
      ...(sweepInterval !== undefined && { sweepInterval }),
    },
  };
}

/** Loaded only where there is a page. */
async function dashboardOf(settings: Settings, { secretKeys, inbox }: Infrastructure): Promise<DynamicModule[]> {
  const { role, dashboardPath: path } = settings;
  if (role === 'worker' || path === undefined) return [];
  const { DashboardModule } = await import('./dashboard/dashboard.module.js');
  return [DashboardModule.register({ path, settings, secretKeys, inbox })];
}

async function operatorsOf(adminToken: string, queueShards: number): Promise<Operators> {
  const { Operators } = await import('./operations/operators.js');
  return new Operators(adminToken, queueShards);
}
