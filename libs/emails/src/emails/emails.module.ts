import { getQueueToken } from '@nestjs/bullmq';
import { ConfigurableModuleBuilder, Inject, Module, Optional, type Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { callerOf } from '../shared/callers/caller.js';
import { JsonBodyReader } from '../shared/http/json-body.reader.js';
import { checkSchema } from '../shared/migrations/schema.check.js';
import { COMPOSED, checkedProviders, needOptions, refuseBare } from '../shared/options/module-options.js';
import { accountResolverOf, mounted } from '../shared/routes/mounted.js';
import { RetryPolicy } from '../shared/work/retry-policy.js';
import { ErasureWorker } from './change/erasure.worker.js';
import { DeliveryProcessor } from './deliver/delivery.processor.js';
import { DeliveryRunner } from './deliver/delivery.runner.js';
import { DeliveryService } from './deliver/delivery.service.js';
import { RecipientPolicies } from './deliver/recipient-policies.js';
import { RecoveryService } from './deliver/recovery.service.js';
import { DEFAULT_RETRY_SCHEDULE } from './deliver/retry-schedule.js';
import { emailsRules } from './emails.options.check.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { acceptance, provide } from './emails.providers.js';
import { EmailsService } from './emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from './emails.tokens.js';
import { HousekeepingService } from './housekeeping/housekeeping.service.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { BatchController } from './http/batch.controller.js';
import { bodyLimits } from './http/body-limits.js';
import { EmailController } from './http/email.controller.js';
import { EmailMetricsController } from './http/email-metrics.controller.js';
import { EmailsController } from './http/emails.controller.js';
import { ErasuresController } from './http/erasures.controller.js';
import { FilesController } from './http/files.controller.js';
import { PublicUrlCheck } from './http/public-url.check.js';
import { ResendController } from './http/resend.controller.js';
import { ShareController } from './http/share.controller.js';
import { collapseSlashesOfEmails } from './http/slashes.middleware.js';
import { SourceController } from './http/source.controller.js';
import { TimelineController } from './http/timeline.controller.js';
import { MessageBuilder } from './message/message-builder.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import { EventSubscriptions } from './outbox/event-subscriptions.service.js';
import { OutboxWorker } from './outbox/outbox.worker.js';
import { OutboxEraser } from './outbox/outbox-eraser.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import { type DeliveryJob, DeliveryQueue } from './queue/delivery-queue.js';
import { checkBackend } from './queue/queue-backend.check.js';
import { queuesModule } from './queue/queues.module.js';
import { queueNames } from './queue/shards.js';
import { EmailsBacklog } from './read/emails-backlog.service.js';
import { LinkedFiles } from './read/links/linked-files.js';
import { Links } from './read/links/links.js';
import { AnswerRepository } from './storage/answer.repository.js';
import { AttachmentRepository } from './storage/attachment.repository.js';
import { ChangeRepository } from './storage/change.repository.js';
import { CountsRepository } from './storage/counts.repository.js';
import { databaseIdentity } from './storage/database-identity.js';
import { DeliveryRepository } from './storage/delivery.repository.js';
import { EmailRepository } from './storage/email.repository.js';
import { EmailIndexRepository } from './storage/email-index.repository.js';
import { ErasureRepository } from './storage/erasure.repository.js';
import { HousekeepingRepository } from './storage/housekeeping.repository.js';
import { emailsMigrations } from './storage/migrations/index.js';
import { OutboxRepository } from './storage/outbox.repository.js';
import { PostgresAttachmentStorage } from './storage/postgres-attachment.storage.js';
import { TimelineRepository } from './storage/timeline.repository.js';

/** Emails that a worker has under way. */
const CONCURRENCY = 200;

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<EmailsOptions>({
  optionsInjectionToken: EMAILS_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<EmailsModuleExtras>({}, (definition, extras) => {
    const providers = checkedProviders(emailsRules(extras), definition, extras);
    const {
      role = 'all',
      routes = true,
      guards = [],
      imports = [],
      queueConfigKey,
      queueShards = 1,
      dataSource,
      isGlobal = false,
    } = extras;
    const queues = queueNames(queueShards);
    const allImports = [...(definition.imports ?? []), ...imports];
    const http = mounted({
      module: 'EmailsModule',
      guards,
      // What is more special comes first: `metrics` is no id.
      controllers: [
        BatchController,
        EmailMetricsController,
        AttachmentsController,
        ShareController,
        SourceController,
        TimelineController,
        ResendController,
        EmailsController,
        EmailController,
        ErasuresController,
      ],
      forStrangers: [FilesController],
      providers: ofRoutes,
      middleware: [collapseSlashesOfEmails],
      role,
      routes,
    });
    return {
      ...definition,
      imports: [
        ...allImports,
        ...http.imports,
        queuesModule({ shards: queueShards, configKey: queueConfigKey, dataSource, imports: allImports, identify }),
      ],
      controllers: http.controllers,
      providers: [
        ...providers,
        ...storage(dataSource),
        {
          provide: DeliveryQueue,
          inject: queues.map((name) => getQueueToken(name)),
          useFactory: queueOn,
        },
        backlog,
        provide(
          EventSubscriptions,
          [OutboxRepository],
          (_, outbox: OutboxRepository) => new EventSubscriptions(outbox),
        ),
        ...acceptance,
        ...http.providers,
        ...(role === 'api' ? [] : [...worker, ...workersOf(queues)]),
      ],
      exports: [EmailsService, EmailsBacklog, EventSubscriptions],
      global: isGlobal,
    };
  })
  .build();
needOptions('EmailsModule', ConfigurableModuleClass);

/**
 * The email API. Import it with `forRoot` or `forRootAsync`, beside `TypeOrmModule` (with `emailsEntities` and
 * `emailsMigrations`) and `BullModule.forRoot`.
 */
@Module({})
export class EmailsModule extends ConfigurableModuleClass {
  /** @internal Made by Nest. */
  constructor(@Optional() @Inject(COMPOSED) composed?: true) {
    super();
    refuseBare('EmailsModule', composed);
  }
}

/** Looks first whether all that this version needs is there. */
async function identify(dataSource: DataSource): Promise<string> {
  await checkSchema('EmailsModule', dataSource, emailsMigrations);
  return databaseIdentity(dataSource);
}

function queueOn(...queues: Queue<DeliveryJob>[]): DeliveryQueue {
  queues.forEach(checkBackend);
  return new DeliveryQueue(queues);
}

function storage(dataSource: string | undefined): Provider[] {
  const inject = [getDataSourceToken(dataSource)];
  return [
    {
      provide: EmailRepository,
      inject: [EMAILS_OPTIONS, ...inject],
      useFactory: ({ preparedStatements }: EmailsOptions, source: DataSource) =>
        new EmailRepository(source, preparedStatements),
    },
    { provide: ChangeRepository, inject, useFactory: (source: DataSource) => new ChangeRepository(source) },
    {
      provide: AttachmentRepository,
      inject,
      useFactory: (source: DataSource) => new AttachmentRepository(source),
    },
    { provide: AnswerRepository, inject, useFactory: (source: DataSource) => new AnswerRepository(source) },
    { provide: DeliveryRepository, inject, useFactory: (source: DataSource) => new DeliveryRepository(source) },
    { provide: EmailIndexRepository, inject, useFactory: (source: DataSource) => new EmailIndexRepository(source) },
    { provide: ErasureRepository, inject, useFactory: (source: DataSource) => new ErasureRepository(source) },
    { provide: TimelineRepository, inject, useFactory: (source: DataSource) => new TimelineRepository(source) },
    { provide: CountsRepository, inject, useFactory: (source: DataSource) => new CountsRepository(source) },
    { provide: OutboxRepository, inject, useFactory: (source: DataSource) => new OutboxRepository(source) },
    { provide: HousekeepingRepository, inject, useFactory: (source: DataSource) => new HousekeepingRepository(source) },
    {
      provide: ATTACHMENT_STORAGE,
      inject: [EMAILS_OPTIONS, ...inject],
      useFactory: (options: EmailsOptions, source: DataSource) =>
        options.attachmentStorage ?? new PostgresAttachmentStorage(source),
    },
  ];
}

const backlog = provide(
  EmailsBacklog,
  [DeliveryRepository, DeliveryQueue],
  (_, repository: DeliveryRepository, queue: DeliveryQueue) => new EmailsBacklog(repository, queue),
);

const ofRoutes: Provider[] = [
  accountResolverOf(EMAILS_OPTIONS),
  PublicUrlCheck,
  provide(
    LinkedFiles,
    [AttachmentRepository, ATTACHMENT_STORAGE, Links],
    (_, repository: AttachmentRepository, storage: AttachmentStorage, links: Links) =>
      new LinkedFiles(repository, storage, links),
  ),
  provide(
    JsonBodyReader,
    [],
    ({ http }) => new JsonBodyReader(bodyLimits(http), (request) => callerOf(request)?.accountId),
  ),
];

const worker: Provider[] = [
  provide(
    DeliveryService,
    [DeliveryRepository, DeliveryQueue, MessageBuilder, EventAnnouncer, Observation],
    (
      { transport, topicPolicy, recipientPolicies, delivery },
      repository: DeliveryRepository,
      queue: DeliveryQueue,
      builder: MessageBuilder,
      announcer: EventAnnouncer,
      observation: Observation,
    ) =>
      new DeliveryService(
        repository,
        queue,
        builder,
        transport,
        new RecipientPolicies(topicPolicy, recipientPolicies),
        announcer,
        observation,
        {
          hop: transport.hop,
          lease: delivery?.lease ?? 8_000,
          destinationConcurrency: delivery?.destinationConcurrency ?? 10,
          onUnknown: delivery?.onUnknown ?? 'retry',
          retryPolicy: new RetryPolicy(delivery?.retrySchedule ?? DEFAULT_RETRY_SCHEDULE),
        },
      ),
  ),
  provide(
    RecoveryService,
    [DeliveryRepository, DeliveryQueue, DeliveryService],
    ({ delivery }, repository: DeliveryRepository, queue: DeliveryQueue, service: DeliveryService) => {
      const enough = (delivery?.concurrency ?? CONCURRENCY) / 2;
      return new RecoveryService(
        repository,
        queue,
        service.hop,
        delivery?.sweepInterval ?? 2_000,
        () => service.size < enough,
      );
    },
  ),
  provide(
    ErasureWorker,
    [ErasureRepository, EventAnnouncer, OutboxRepository],
    ({ personErasers }, repository: ErasureRepository, announcer: EventAnnouncer, outbox: OutboxRepository) => {
      const eraser = new OutboxEraser(outbox);
      // What others have been handed they can erase then; what they erase may be an event in turn.
      return new ErasureWorker(repository, [eraser, ...(personErasers ?? []), eraser], announcer);
    },
  ),
  provide(
    OutboxWorker,
    [OutboxRepository],
    ({ eventSubscriptions }, outbox: OutboxRepository) => new OutboxWorker(outbox, eventSubscriptions ?? []),
  ),
  provide(
    HousekeepingService,
    [HousekeepingRepository, CountsRepository, EmailIndexRepository],
    ({ retention }, repository: HousekeepingRepository, counts: CountsRepository, index: EmailIndexRepository) =>
      new HousekeepingService(repository, counts, index, { content: retention?.content, events: retention?.events }),
  ),
];

/** Who starts a worker for each queue, and stops it. */
function workersOf(queues: readonly string[]): Provider[] {
  return [
    DeliveryProcessor,
    provide(
      DeliveryRunner,
      [RecoveryService, DeliveryProcessor, ...queues.map((name) => getQueueToken(name))],
      (
        { transport, delivery },
        recovery: RecoveryService,
        processor: DeliveryProcessor,
        ...all: Queue<DeliveryJob>[]
      ) =>
        new DeliveryRunner(all, processor, recovery, transport, {
          concurrency: delivery?.concurrency ?? CONCURRENCY,
          shutdownTimeout: delivery?.shutdownTimeout ?? 20_000,
        }),
    ),
  ];
}
