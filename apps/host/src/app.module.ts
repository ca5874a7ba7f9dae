import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsModule } from 'nestjs-emails';
import type { Logger } from 'pino';
import { domainsOptions } from './bootstrap/domains-options.js';
import { feedbackOptions } from './bootstrap/feedback-options.js';
import type { Infrastructure } from './bootstrap/infrastructure.js';
import { StartPaused } from './bootstrap/start-paused.js';
import { emailsOptions } from './config/emails-options.js';
import type { Settings } from './config/settings.js';
import { transportsOf } from './config/transports-of.js';
import { loadDashboard } from './dashboard/load-dashboard.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { InboxModule } from './embedded/inbox/inbox.module.js';
import { features } from './features/features.js';
import { UnknownPathFilter } from './http/unknown-path.filter.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { alarmChannelsOf } from './operations/alarms/alarm-channels-of.js';
import { AlarmsModule } from './operations/alarms/alarms.module.js';
import { HealthModule } from './operations/health/health.module.js';
import { loadOperators } from './operations/load-operators.js';
import { EmailLog } from './operations/logging/email-log.js';
import { queueConnection } from './queue/queue-connection.js';
import { rateLimitOf } from './redis/rate-limit.js';

/** The host: emails with their features, and the host's own parts around them. */
@Module({})
export class AppModule {
  static async register(settings: Settings, infrastructure: Infrastructure, logger: Logger): Promise<DynamicModule> {
    const { role, queueShards, redisUrls, webhookAllowPrivate: allowPrivate } = settings;
    const { databaseUrl, directDatabaseUrl, smtpUrls, inbox, redisClients, secretKeys } = infrastructure;
    const operators = await loadOperators(settings);
    const observer = operators && { observer: operators.webhookMetrics };
    const alarms = alarmChannelsOf(settings, logger);
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(databaseUrl), retryAttempts: 0 }),
        BullModule.forRoot(queueConnection({ databaseUrl: directDatabaseUrl, redisUrls, redisClients })),
        EmailsModule.forRoot({
          ...emailsOptions(settings),
          ...{ role, queueShards, secretKeys, isGlobal: true },
          transports: transportsOf(smtpUrls, settings.smtpHops),
          features: features({
            access: rateLimitOf(settings),
            webhooks: { allowPrivate, ...observer },
            feedback: feedbackOptions(settings, infrastructure),
            domains: domainsOptions(settings, infrastructure),
          }),
          observers: [new EmailLog(logger), ...(operators ? [operators.metrics] : [])],
          eventListeners: operators ? [operators.metrics] : [],
          onAlarm: alarms.onAlarm,
          // A pooler may run each statement on another connection.
          preparedStatements: directDatabaseUrl === databaseUrl,
        }),
        ...(settings.alarmTo.length > 0 ? [AlarmsModule.register(settings, alarms, logger)] : []),
        HealthModule.register(settings, smtpUrls),
        ...(inbox === undefined ? [] : [InboxModule.register(inbox)]),
        ...(operators?.modules() ?? []),
        ...(await loadDashboard(settings, infrastructure)),
      ],
      controllers: role === 'worker' ? [] : [OpenApiController],
      providers: [{ provide: APP_FILTER, useClass: UnknownPathFilter }, ...(settings.startPaused ? [StartPaused] : [])],
    };
  }
}
