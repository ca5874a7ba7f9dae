import { getQueueToken } from '@nestjs/bullmq';
import { ConfigurableModuleBuilder, type DynamicModule, Inject, Module, Optional, type Provider } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { ACTION_LOG } from '../shared/actions/action-log.js';
import { ALARMS } from '../shared/alarms/alarms.js';
import { ACCOUNT_RESOLVER } from '../shared/callers/account-resolver.js';
import { callerOf } from '../shared/callers/caller.js';
import { DOMAIN_DIRECTORY } from '../shared/domains/domain-directory.js';
import { DataSourceCheck } from '../shared/features/data-source.check.js';
import { dataSourceProvider } from '../shared/features/data-source.provider.js';
import { EMAILS_SERVICE } from '../shared/features/emails-service.token.js';
import { CORE_OPTIONS } from '../shared/features/feature.js';
import { featureModule, guardsOf, importComposer, withFallbacks } from '../shared/features/feature-module.js';
import { refuseSecond } from '../shared/features/refuse-second.js';
import { repositoryProviders } from '../shared/features/repository-providers.js';
import { JsonBodyReader } from '../shared/http/json-body.reader.js';
import { checkSchema } from '../shared/migrations/schema.check.js';
import { COMPOSED, checkedProviders, needOptions, refuseBare } from '../shared/options/module-options.js';
import { accountResolverOf, mounted } from '../shared/routes/mounted.js';
import { RetryPolicy } from '../shared/work/retry-policy.js';
import { EmailActionWorker } from './actions/email-action.worker.js';
import { AlarmsService } from './alarms/alarms.service.js';
import { AlarmsWorker } from './alarms/alarms.worker.js';
import { LateMailAlarms } from './alarms/late-mail.alarms.js';
import { QuotaAlarms } from './alarms/quota.alarms.js';
import { ChangeService } from './change/change.service.js';
import { DeliveryDrain } from './change/delivery-drain.js';
import { ErasureWorker } from './change/erasure.worker.js';
import { PausesService } from './change/pauses.service.js';
import { Persistence } from './change/persistence.js';
import { type DeliveryProcessor, deliveryProcessorOf } from './deliver/delivery.processor.js';
import { DeliveryRunner } from './deliver/delivery.runner.js';
import { DeliveryService } from './deliver/delivery.service.js';
import { DeliveryPlaces } from './deliver/delivery-places.js';
import { RecipientPolicies } from './deliver/recipient-policies.js';
import { RecoveryService } from './deliver/recovery.service.js';
import { DEFAULT_RETRY_SCHEDULE } from './deliver/retry-schedule.js';
import { limitedTransports, namesOfTransports, transportsOf } from './deliver/routes/transports-of.js';
import { checkOptions, emailsRules } from './emails.options.check.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { acceptance, provide } from './emails.providers.js';
import { EmailsService } from './emails.service.js';
import { EMAILS_OPTIONS, WHOLE_OPTIONS } from './emails.tokens.js';
import { portsOf, singlePort, wholeOptions } from './features/feature-ports.js';
import { HousekeepingService } from './housekeeping/housekeeping.service.js';
import { ActionsController } from './http/actions.controller.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { BatchController } from './http/batch.controller.js';
import { bodyLimits } from './http/body-limits.js';
import { CountController } from './http/count.controller.js';
import { EmailController } from './http/email.controller.js';
import { EmailActionsController } from './http/email-actions.controller.js';
import { EmailMetricsController } from './http/email-metrics.controller.js';
import { EmailsController } from './http/emails.controller.js';
import { ErasuresController } from './http/erasures.controller.js';
import { ExportController } from './http/export.controller.js';
import { FilesController } from './http/files.controller.js';
import { PublicUrlCheck } from './http/public-url.check.js';
import { ResendController } from './http/resend.controller.js';
import { ShareController } from './http/share.controller.js';
import { collapseSlashesOfEmails } from './http/slashes.middleware.js';
import { SourceController } from './http/source.controller.js';
import { TimelineController } from './http/timeline.controller.js';
import { MessageBuilder } from './message/message-builder.js';
import { MESSAGE_SIGNERS } from './message/message-signers.js';
import { MessageStages } from './message/message-stages.js';
import { UnsubscribableMessages } from './message/unsubscribable-messages.js';
import { EmailEventMethods } from './observation/email-event-methods.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import { EventSubscriptions } from './outbox/event-subscriptions.service.js';
import { OutboxWorker } from './outbox/outbox.worker.js';
import { OutboxEraser } from './outbox/outbox-eraser.js';
import { ATTACHMENT_STORAGE } from './ports/attachment-storage.js';
import type { MessageSigner } from './ports/message-signer.js';
import { accountWeight } from './queue/account-weight.js';
import { type DeliveryJob, DeliveryQueue } from './queue/delivery-queue.js';
import { checkBackend } from './queue/queue-backend.check.js';
import { queuesModule } from './queue/queues.module.js';
import { checkRedisClient } from './queue/redis-client.check.js';
import { queueNames } from './queue/shards.js';
import { ActionsService } from './read/actions/actions.service.js';
import { EmailsBacklog } from './read/emails-backlog.service.js';
import { EmailsHealthIndicator } from './read/emails-health.indicator.js';
import { EmailsNextHop } from './read/emails-next-hop.service.js';
import { FeatureMetrics } from './read/feature-metrics.service.js';
import { LinkedFiles } from './read/links/linked-files.js';
import { senderPoliciesOf } from './send/bound-keys.policy.js';
import { ResendService } from './send/resend/resend.service.js';
import { StagingSwitch } from './staging/staging-switch.js';
import { AnswerRepository } from './storage/accept/answer.repository.js';
import { databaseIdentity } from './storage/accept/database-identity.js';
import { EmailsRepository } from './storage/accept/emails.repository.js';
import { QuotaRepository } from './storage/accept/quota.repository.js';
import { Transactions } from './storage/accept/transactions.js';
import { ActionRepository } from './storage/actions/action.repository.js';
import { AlarmRepository } from './storage/alarms/alarm.repository.js';
import { ContentOwners } from './storage/content-owners.js';
import { ChangeRepository } from './storage/deliver/change.repository.js';
import { DeliveryRepository } from './storage/deliver/delivery.repository.js';
import { PauseRepository } from './storage/deliver/pause.repository.js';
import { PermitsRepository } from './storage/deliver/permits.repository.js';
import { emailsEntities } from './storage/entities/entities.js';
import { ErasureRepository } from './storage/erase/erasure.repository.js';
import { ActionsRepository } from './storage/keep/actions.repository.js';
import { HousekeepingRepository } from './storage/keep/housekeeping.repository.js';
import { PostgresAttachmentStorage } from './storage/keep/postgres-attachment.storage.js';
import { emailsMigrations } from './storage/migrations/index.js';
import { OutboxRepository } from './storage/outbox/outbox.repository.js';
import { AttachmentRepository } from './storage/read/attachment.repository.js';
import { CountsRepository } from './storage/read/counts.repository.js';
import { TimelineRepository } from './storage/read/timeline.repository.js';
import { EMAILS_DATA_SOURCE, PREPARED_STATEMENTS } from './storage/storage.tokens.js';

/** Time for which an action waits for a locked email before it continues with others. Milliseconds. */
const PATIENCE_OF_ACTIONS = 1_000;

/** Emails that one worker process handles at the same time. */
const CONCURRENCY = 200;
/** `DeliveryPlaces` of each shard. */
const DELIVERY_PLACES = Symbol('nestjs-emails delivery places');

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<EmailsOptions>({
  optionsInjectionToken: EMAILS_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<EmailsModuleExtras>({}, (definition, extras) => {
    const providers = checkedProviders(emailsRules(extras), definition, extras);
    const {
      features = [],
      role = 'all',
      routes = true,
      imports = [],
      queueConfigKey,
      queueShards = 1,
      dataSource,
      isGlobal = false,
    } = extras;
    const brought = guardsOf(features);
    const guards = [...brought, ...(extras.guards ?? [])];
    const queues = queueNames(queueShards);
    // Nest gives the imports of `forRootAsync` with the definition.
    const allImports = [...(definition.imports ?? []), ...imports];
    const ports = features.map(portsOf);
    const modules = withFallbacks(features).map((feature, at) =>
      featureModule(
        feature,
        { ...extras, imports: allImports, brought, guards, composer: definition.module },
        ports[at],
      ),
    );
    const http = mounted({
      module: 'EmailsModule',
      guards,
      // The more specific route comes first: `metrics` is not an id.
      controllers: [
        BatchController,
        EmailMetricsController,
        EmailActionsController,
        CountController,
        ExportController,
        AttachmentsController,
        ShareController,
        SourceController,
        TimelineController,
        ResendController,
        EmailsController,
        EmailController,
        ErasuresController,
        ActionsController,
      ],
      forStrangers: [FilesController],
      providers: ofRoutes,
      middleware: [collapseSlashesOfEmails],
      role,
      routes,
    });
    const composed: DynamicModule = {
      ...definition,
      imports: [
        ...modules,
        ...allImports,
        ...http.imports,
        DiscoveryModule,
        queuesModule({ shards: queueShards, configKey: queueConfigKey, dataSource, imports: allImports, identify }),
      ],
      controllers: http.controllers,
      providers: [
        ...providers,
        { provide: COMPOSED, useValue: true },
        { provide: CORE_OPTIONS, useExisting: EMAILS_OPTIONS },
        { provide: EMAILS_SERVICE, useExisting: EmailsService },
        accountResolverOf(EMAILS_OPTIONS, features),
        wholeOptions(WHOLE_OPTIONS, EMAILS_OPTIONS, ports.flat(), (whole) => checkOptions('EmailsModule', whole)),
        singlePort(DOMAIN_DIRECTORY, EMAILS_OPTIONS, 'domainDirectory', ports.flat()),
        ...storage(dataSource),
        {
          provide: DeliveryQueue,
          inject: [WHOLE_OPTIONS, ...queues.map((name) => getQueueToken(name))],
          useFactory: queueOn,
        },
        EmailsBacklog,
        DeliveryDrain,
        provide(
          EmailsNextHop,
          [DeliveryRepository, PermitsRepository, { token: DeliveryService, optional: true }],
          (options, repository: DeliveryRepository, permits: PermitsRepository, delivery?: DeliveryService) =>
            new EmailsNextHop(
              limitedTransports(options),
              repository,
              permits,
              delivery && (() => delivery.routes.known),
            ),
        ),
        provide(
          EmailsHealthIndicator,
          [EmailsBacklog, StagingSwitch, PausesService],
          ({ healthChecks }, backlog: EmailsBacklog, staging: StagingSwitch, pauses: PausesService) =>
            new EmailsHealthIndicator(backlog, healthChecks, staging.active, pauses),
        ),
        provide(FeatureMetrics, [], ({ metrics }) => new FeatureMetrics(metrics ?? [])),
        { provide: ALARMS, useExisting: AlarmsService },
        {
          provide: AlarmsService,
          // Not the whole options: features, whose ports these are, inject it.
          inject: [EMAILS_OPTIONS, AlarmRepository],
          useFactory: ({ onAlarm }: EmailsOptions, repository: AlarmRepository) =>
            new AlarmsService(repository, onAlarm !== undefined),
        },
        EventSubscriptions,
        ...acceptance,
        EmailEventMethods,
        ...http.providers,
        ...(role === 'api' ? [] : [...worker, ...workersOf(queues, queueConfigKey)]),
      ],
      exports: [
        EmailsService,
        EmailsBacklog,
        EmailsNextHop,
        EmailsHealthIndicator,
        StagingSwitch,
        EventSubscriptions,
        FeatureMetrics,
        EMAILS_SERVICE,
        CORE_OPTIONS,
        ACCOUNT_RESOLVER,
        ACTION_LOG,
        ALARMS,
        DOMAIN_DIRECTORY,
        ...modules,
      ],
      global: isGlobal,
    };
    importComposer(modules, composed);
    return composed;
  })
  .build();
needOptions('EmailsModule', ConfigurableModuleClass);

/**
 * The email API. Import it with `forRoot` or `forRootAsync`, next to `TypeOrmModule` (with `emailsDatabase({ features })`)
 * and `BullModule.forRoot`.
 *
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     EmailsModule.forRoot({
 *       guards: [YourGuard],
 *       accountResolver,
 *       transport: new SmtpTransport({ url: 'smtp://localhost:2525' }),
 *     }),
 *   ],
 * })
 * export class MailModule {}
 * ```
 */
@Module({})
export class EmailsModule extends ConfigurableModuleClass {
  /** @internal Created by Nest. */
  constructor(@Optional() @Inject(COMPOSED) composed: true | undefined, modules: ModulesContainer) {
    super();
    refuseBare('EmailsModule', composed);
    refuseSecond(EmailsModule, modules);
  }
}

/** First checks that everything this version needs exists. */
async function identify(dataSource: DataSource): Promise<string> {
  await checkSchema('EmailsModule', dataSource, emailsMigrations);
  return databaseIdentity(dataSource);
}

async function queueOn({ delivery }: EmailsOptions, ...queues: Queue<DeliveryJob>[]): Promise<DeliveryQueue> {
  queues.forEach(checkBackend);
  for (const queue of queues) await checkRedisClient(queue);
  return new DeliveryQueue(queues, accountWeight(delivery?.accountWeight));
}

function storage(dataSource: string | undefined): Provider[] {
  return [
    dataSourceProvider('EmailsModule', EMAILS_DATA_SOURCE, dataSource),
    {
      provide: DataSourceCheck,
      inject: [EMAILS_DATA_SOURCE],
      useFactory: (source: DataSource) => new DataSourceCheck(source),
    },
    ...repositoryProviders('EmailsModule', emailsEntities, EMAILS_DATA_SOURCE),
    provide(PREPARED_STATEMENTS, [], ({ preparedStatements = true }) => preparedStatements),
    provide(ContentOwners, [], ({ contentOwners }) => new ContentOwners(contentOwners)),
    ...repositories,
    { provide: ACTION_LOG, useExisting: ActionsRepository },
    provide(
      ATTACHMENT_STORAGE,
      [EMAILS_DATA_SOURCE],
      ({ attachmentStorage }, source: DataSource) => attachmentStorage ?? new PostgresAttachmentStorage(source),
    ),
  ];
}

const repositories = [
  EmailsRepository,
  ChangeRepository,
  AttachmentRepository,
  AnswerRepository,
  DeliveryRepository,
  PauseRepository,
  PermitsRepository,
  QuotaRepository,
  ErasureRepository,
  ActionRepository,
  TimelineRepository,
  CountsRepository,
  OutboxRepository,
  HousekeepingRepository,
  Transactions,
  ActionsRepository,
  AlarmRepository,
];

const ofRoutes: Provider[] = [
  PublicUrlCheck,
  LinkedFiles,
  ActionsService,
  provide(
    JsonBodyReader,
    [],
    ({ http }) => new JsonBodyReader(bodyLimits(http), (request) => callerOf(request)?.accountId),
  ),
];

const worker: Provider[] = [
  provide(
    DeliveryService,
    [
      DeliveryRepository,
      DeliveryQueue,
      MessageBuilder,
      MESSAGE_SIGNERS,
      EventAnnouncer,
      Observation,
      StagingSwitch,
      PermitsRepository,
    ],
    (
      {
        transport,
        transports,
        routeChooser: chooser,
        topicPolicy,
        recipientPolicies,
        senderPolicies,
        domainDirectory,
        messageStages,
        messageSigners = [],
        unsubscribeLinks: links,
        unsubscribeMailbox: mailbox,
        recipientsPerMessage,
        delivery,
      },
      repository: DeliveryRepository,
      queue: DeliveryQueue,
      builder: MessageBuilder,
      signers: MessageSigner,
      announcer: EventAnnouncer,
      observation: Observation,
      staging: StagingSwitch,
      permits: PermitsRepository,
    ) =>
      new DeliveryService(
        repository,
        queue,
        staging.messages(links ? new UnsubscribableMessages(builder, { links, mailbox, signers }) : builder),
        { transports: transportsOf({ transport, transports }), chooser, wrap: (made) => staging.transport(made) },
        new RecipientPolicies(
          topicPolicy,
          recipientPolicies,
          senderPoliciesOf({ senderPolicies, domainDirectory }),
          staging.policies,
        ),
        announcer,
        observation,
        {
          lease: delivery?.lease ?? 8_000,
          concurrency: delivery?.concurrency ?? CONCURRENCY,
          destinationConcurrency: delivery?.destinationConcurrency ?? 10,
          weightOf: accountWeight(delivery?.accountWeight),
          onUnknown: delivery?.onUnknown ?? 'retry',
          isRedirected: staging.redirectAllTo !== undefined,
          recipientsPerMessage,
          retryPolicy: new RetryPolicy(delivery?.retrySchedule ?? DEFAULT_RETRY_SCHEDULE),
        },
        new MessageStages(messageStages, links !== undefined && messageSigners.length > 0),
        permits,
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
        service.routes,
        delivery?.sweepInterval ?? 2_000,
        () => service.size < enough,
        (emailId) => service.deliver(emailId),
      );
    },
  ),
  provide(
    ErasureWorker,
    [ErasureRepository, EventAnnouncer, OutboxRepository],
    ({ personErasers }, repository: ErasureRepository, announcer: EventAnnouncer, outbox: OutboxRepository) => {
      const eraser = new OutboxEraser(outbox);
      // Other erasers may have received events, and can then erase those too; their erasing may cause new events.
      return new ErasureWorker(repository, [eraser, ...(personErasers ?? []), eraser], announcer);
    },
  ),
  provide(
    EmailActionWorker,
    [ActionRepository, ChangeRepository, DeliveryQueue, EventAnnouncer, ResendService],
    (
      _,
      actions: ActionRepository,
      repository: ChangeRepository,
      queue: DeliveryQueue,
      announcer: EventAnnouncer,
      resends: ResendService,
    ) => {
      const changes = new ChangeService(repository, queue, announcer, new Persistence(PATIENCE_OF_ACTIONS));
      return new EmailActionWorker(actions, changes, resends);
    },
  ),
  provide(
    OutboxWorker,
    [OutboxRepository],
    ({ eventSubscriptions }, outbox: OutboxRepository) => new OutboxWorker(outbox, eventSubscriptions ?? []),
  ),
  provide(
    HousekeepingService,
    [HousekeepingRepository, CountsRepository, ActionsRepository],
    ({ retention }, repository: HousekeepingRepository, counts: CountsRepository, actions: ActionsRepository) =>
      new HousekeepingService(repository, counts, actions, { content: retention?.content, events: retention?.events }),
  ),
  provide(
    AlarmsWorker,
    [AlarmRepository, DeliveryRepository, QuotaRepository, DeliveryService],
    (
      { quota, onAlarm, alarmSources = [], ...options },
      alarms: AlarmRepository,
      deliveries: DeliveryRepository,
      quotas: QuotaRepository,
      { routes }: DeliveryService,
    ) =>
      new AlarmsWorker(
        alarms,
        [
          new LateMailAlarms(deliveries, namesOfTransports(options), () => routes.known.hops),
          ...(quota ? [new QuotaAlarms(quotas, quota)] : []),
          ...alarmSources,
        ],
        onAlarm,
      ),
  ),
];

/** The processor of each queue, for which Nest creates a worker, and the class that runs them. */
function workersOf(queues: readonly string[], configKey: string | undefined): Provider[] {
  const shards = queues.length / 2;
  const processors = queues.map((name, at) => ({
    provide: `nestjs-emails processor of ${name}`,
    inject: [DELIVERY_PLACES, DeliveryService, DeliveryQueue, getQueueToken(name)],
    useFactory: (
      places: readonly DeliveryPlaces[],
      service: DeliveryService,
      deliveryQueue: DeliveryQueue,
      queue: Queue<DeliveryJob>,
    ) => {
      const QueueProcessor = deliveryProcessorOf(queue, configKey);
      return new QueueProcessor(service, deliveryQueue, places[at % shards] as DeliveryPlaces, at >= shards);
    },
  }));
  return [
    provide(DELIVERY_PLACES, [], ({ delivery }) => {
      const most = Math.ceil((delivery?.concurrency ?? CONCURRENCY) / shards);
      return Array.from({ length: shards }, () => new DeliveryPlaces(most));
    }),
    ...processors,
    provide(
      DeliveryRunner,
      [RecoveryService, DeliveryQueue, DeliveryService, DeliveryDrain, ...processors.map(({ provide }) => provide)],
      (
        { delivery },
        recovery: RecoveryService,
        queue: DeliveryQueue,
        service: DeliveryService,
        drain: DeliveryDrain,
        ...all: DeliveryProcessor[]
      ) => new DeliveryRunner(all, queue, recovery, service, drain, delivery?.shutdownTimeout ?? 20_000),
    ),
  ];
}
