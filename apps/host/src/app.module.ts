import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiErrorFilter, EmailsModule, SmtpTransport } from 'nestjs-emails';
import type { Logger } from 'pino';
import { AccountsModule } from './accounts/accounts.module.js';
import type { Operators } from './admin/operators.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { RequestAccountResolver } from './auth/request-account-resolver.js';
import type { Infrastructure } from './bootstrap/infrastructure.js';
import type { Settings } from './config/settings.js';
import { ContactTopicPolicy } from './contacts/contact-topic-policy.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { TopicPolicyModule } from './contacts/topic-policy.module.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { InboxModule } from './embedded/inbox/inbox.module.js';
import { HealthModule } from './health/health.module.js';
import { EmailLog } from './logging/email-log.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { queueConnection } from './queue/queue-connection.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { PublishedTemplateSource } from './templates/published-template-source.js';
import { TemplateSourceModule } from './templates/template-source.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { TopicsModule } from './topics/topics.module.js';

/** The host: the library, and around it what belongs to a host. */
@Module({})
export class AppModule {
  static async register(
    settings: Settings,
    { databaseUrl, directDatabaseUrl, smtpUrl, inbox, redisClients }: Infrastructure,
    logger: Logger,
  ): Promise<DynamicModule> {
    const { role, redisUrls, smtpHop, retrySchedule, sweepInterval, adminToken, queueShards } = settings;
    const { contentRetention, eventRetention } = settings;
    const servesApi = role !== 'worker';
    const operators = adminToken === undefined ? undefined : await operatorsOf(adminToken, queueShards);
    const emails = EmailsModule.forRootAsync({
      role,
      queueShards,
      guards: [ApiKeyGuard, RateLimitGuard],
      imports: [AuthModule, TopicPolicyModule, TemplateSourceModule],
      inject: [RequestAccountResolver, ContactTopicPolicy, PublishedTemplateSource],
      useFactory: (
        accountResolver: RequestAccountResolver,
        topicPolicy: ContactTopicPolicy,
        templateSource: PublishedTemplateSource,
      ) => ({
        accountResolver,
        topicPolicy,
        templateSource,
        transport: new SmtpTransport({ url: smtpUrl, hop: smtpHop }),
        // A pooler gives each statement to another connection.
        preparedStatements: directDatabaseUrl === databaseUrl,
        retention: {
          ...(contentRetention !== undefined && { content: contentRetention }),
          ...(eventRetention !== undefined && { events: eventRetention }),
        },
        delivery: {
          ...(retrySchedule !== undefined && { retrySchedule }),
          ...(sweepInterval !== undefined && { sweepInterval }),
        },
        observers: [new EmailLog(logger), ...(operators ? [operators.metrics] : [])],
        eventListeners: operators ? [operators.metrics] : [],
      }),
    });
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(databaseUrl), retryAttempts: 0 }),
        BullModule.forRoot(queueConnection({ databaseUrl: directDatabaseUrl, redisUrls, redisClients })),
        emails,
        RateLimitModule.register(settings),
        HealthModule.register(settings, smtpUrl),
        ...(servesApi ? [AccountsModule, ApiKeysModule, TopicsModule, ContactsModule, TemplatesModule] : []),
        ...(inbox === undefined ? [] : [InboxModule.register(inbox)]),
        ...(operators?.modules(emails) ?? []),
      ],
      controllers: servesApi ? [OpenApiController] : [],
      providers: [{ provide: APP_FILTER, useClass: ApiErrorFilter }],
    };
  }
}

async function operatorsOf(adminToken: string, queueShards: number): Promise<Operators> {
  const { Operators } = await import('./admin/operators.js');
  return new Operators(adminToken, queueShards);
}
