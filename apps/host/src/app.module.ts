import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiErrorFilter, EmailsModule, SmtpTransport } from 'nestjs-emails';
import type { Logger } from 'pino';
import { AccountsModule } from './access/accounts/accounts.module.js';
import { ApiKeysModule } from './access/api-keys/api-keys.module.js';
import { ApiKeyGuard } from './access/auth/api-key.guard.js';
import { AuthModule } from './access/auth/auth.module.js';
import { RequestAccountResolver } from './access/auth/request-account-resolver.js';
import { RateLimitGuard } from './access/rate-limit/rate-limit.guard.js';
import { RateLimitModule } from './access/rate-limit/rate-limit.module.js';
import { ContactTopicPolicy } from './audience/contacts/contact-topic-policy.js';
import { ContactsModule } from './audience/contacts/contacts.module.js';
import { TopicPolicyModule } from './audience/contacts/topic-policy.module.js';
import { TopicsModule } from './audience/topics/topics.module.js';
import type { Infrastructure } from './bootstrap/infrastructure.js';
import type { Settings } from './config/settings.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { InboxModule } from './embedded/inbox/inbox.module.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { HealthModule } from './operations/health/health.module.js';
import { EmailLog } from './operations/logging/email-log.js';
import type { Operators } from './operations/operators.js';
import { queueConnection } from './queue/queue-connection.js';
import { PublishedTemplateSource } from './templates/published-template-source.js';
import { TemplateSourceModule } from './templates/template-source.module.js';
import { TemplatesModule } from './templates/templates.module.js';

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
  const { Operators } = await import('./operations/operators.js');
  return new Operators(adminToken, queueShards);
}
