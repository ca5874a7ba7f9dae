import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { listeningAddress } from '../shared/routes/listening-address.js';
import { ChangeService } from './change/change.service.js';
import { ErasureWorker } from './change/erasure.worker.js';
import { ErasuresService, type WokenWorker } from './change/erasures.service.js';
import type { EmailsOptions } from './emails.options.js';
import { EmailsService } from './emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from './emails.tokens.js';
import { MessageBuilder } from './message/message-builder.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import { OutboxWorker } from './outbox/outbox.worker.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { AttachmentsService } from './read/attachments.service.js';
import { LINK_ROUTE, Links } from './read/links/links.js';
import { ListingService } from './read/listing.service.js';
import { MetricsService } from './read/metrics/metrics.service.js';
import { SharingService } from './read/sharing.service.js';
import { SourceService } from './read/source/source.service.js';
import { TimelineService } from './read/timeline/timeline.service.js';
import { type AcceptanceRules, AcceptanceService } from './send/acceptance.service.js';
import { AfterCommit } from './send/after-commit.js';
import { AnswersService } from './send/answers/answers.service.js';
import { AttachmentFetcher } from './send/attachments/attachment-fetcher.js';
import { AttachmentResolver } from './send/attachments/attachment-resolver.js';
import { BatchService } from './send/batch/batch.service.js';
import { ContentRule } from './send/content-rule.js';
import { EmailComposer } from './send/email-composer.js';
import { GivenMessageIds } from './send/given-message-ids.js';
import { ResendService } from './send/resend/resend.service.js';
import { TemplateRendering } from './send/templates/request-templates.js';
import { AnswerRepository } from './storage/answer.repository.js';
import { AttachmentRepository } from './storage/attachment.repository.js';
import { ChangeRepository } from './storage/change.repository.js';
import { CountsRepository } from './storage/counts.repository.js';
import { EmailRepository } from './storage/email.repository.js';
import { ErasureRepository, type ErasureStore } from './storage/erasure.repository.js';
import { TimelineRepository } from './storage/timeline.repository.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MESSAGE_LIMIT = 40_000_000;

/** From a request to a written email and back: what every role has, and the testing module with other ground below. */
export const acceptance: Provider[] = [
  provide(Observation, [], ({ observers }) => new Observation(observers ?? [])),
  provide(
    EventAnnouncer,
    [{ token: OutboxWorker, optional: true }],
    ({ eventListeners, eventSubscriptions }, outbox?: OutboxWorker) =>
      new EventAnnouncer([
        ...(eventListeners ?? []),
        ...(outbox && eventSubscriptions?.length ? [{ onEvents: () => outbox.wake() }] : []),
      ]),
  ),
  provide(
    AttachmentFetcher,
    [],
    ({ fetch, http }) =>
      new AttachmentFetcher({
        ports: fetch?.ports ?? [80, 443],
        timeout: fetch?.timeout ?? 10_000,
        maxBytes: http?.messageLimit ?? MESSAGE_LIMIT,
        allowedHosts: fetch?.allowedHosts ?? [],
      }),
  ),
  provide(
    AttachmentResolver,
    [ATTACHMENT_STORAGE, AttachmentFetcher],
    ({ http, fetch }, attachments: AttachmentStorage, fetcher: AttachmentFetcher) =>
      new AttachmentResolver(attachments, fetcher, {
        message: http?.messageLimit ?? MESSAGE_LIMIT,
        fetchTime: fetch?.requestTimeout ?? 30_000,
      }),
  ),
  provide(
    EmailComposer,
    [EmailRepository],
    ({ templateSource, topicPolicy, http, requireContent = false }, repository: EmailRepository) =>
      new EmailComposer(
        new TemplateRendering(templateSource, http?.messageLimit ?? MESSAGE_LIMIT),
        topicPolicy,
        new GivenMessageIds(repository),
        new ContentRule(requireContent),
      ),
  ),
  provide(
    AfterCommit,
    [DeliveryQueue, EventAnnouncer, Observation],
    (_, queue: DeliveryQueue, announcer: EventAnnouncer, observation: Observation) =>
      new AfterCommit(queue, announcer, observation),
  ),
  provide(
    AcceptanceService,
    [EmailRepository, EmailComposer, AttachmentResolver, AfterCommit],
    (
      options,
      repository: EmailRepository,
      composer: EmailComposer,
      resolver: AttachmentResolver,
      afterCommit: AfterCommit,
    ) => new AcceptanceService(repository, composer, resolver, afterCommit, rulesOf(options)),
  ),
  provide(
    AnswersService,
    [AnswerRepository, AfterCommit],
    (options, repository: AnswerRepository, afterCommit: AfterCommit) =>
      new AnswersService(repository, afterCommit, rulesOf(options)),
  ),
  provide(
    BatchService,
    [AnswersService, EmailComposer, AttachmentResolver],
    (_, answers: AnswersService, composer: EmailComposer, resolver: AttachmentResolver) =>
      new BatchService(answers, composer, resolver),
  ),
  provide(
    ResendService,
    [AnswersService, AnswerRepository],
    (_, answers: AnswersService, repository: AnswerRepository) => new ResendService(answers, repository),
  ),
  provide(ListingService, [EmailRepository], (_, repository: EmailRepository) => new ListingService(repository)),
  provide(
    ChangeService,
    [ChangeRepository, DeliveryQueue, EventAnnouncer],
    (_, repository: ChangeRepository, queue: DeliveryQueue, announcer: EventAnnouncer) =>
      new ChangeService(repository, queue, announcer),
  ),
  provide(
    Links,
    [HttpAdapterHost],
    ({ secretKeys, publicUrl, links }, adapterHost: HttpAdapterHost) =>
      new Links(
        new SecretKeys(secretKeys ?? []),
        () => publicUrl?.replace(/\/+$/, '') ?? listeningAddress(adapterHost, LINK_ROUTE),
        links?.lifetime ?? HOUR,
      ),
  ),
  provide(
    AttachmentsService,
    [AttachmentRepository, ATTACHMENT_STORAGE, Links],
    (_, repository: AttachmentRepository, storage: AttachmentStorage, links: Links) =>
      new AttachmentsService(repository, storage, links),
  ),
  provide(
    SharingService,
    [AttachmentRepository, Links],
    (_, repository: AttachmentRepository, links: Links) => new SharingService(repository, links),
  ),
  provide(MessageBuilder, [ATTACHMENT_STORAGE], (_, attachments: AttachmentStorage) => new MessageBuilder(attachments)),
  provide(
    SourceService,
    [AnswerRepository, EmailRepository, MessageBuilder],
    (_, answers: AnswerRepository, emails: EmailRepository, builder: MessageBuilder) =>
      new SourceService(answers, emails, builder),
  ),
  provide(
    TimelineService,
    [TimelineRepository],
    (_, repository: TimelineRepository) => new TimelineService(repository),
  ),
  provide(MetricsService, [CountsRepository], (_, repository: CountsRepository) => new MetricsService(repository)),
  provide(
    ErasuresService,
    [ErasureRepository, { token: ErasureWorker, optional: true }],
    (_, erasures: ErasureStore, worker?: WokenWorker) => new ErasuresService(erasures, worker),
  ),
  EmailsService,
];

function rulesOf({ idempotency }: EmailsOptions): AcceptanceRules {
  return { idempotencyRetention: idempotency?.retention ?? DAY };
}

/** A provider made from the options and other providers. */
export function provide<T, Args extends unknown[]>(
  token: Type<T>,
  inject: FactoryProvider['inject'],
  useFactory: (options: EmailsOptions, ...args: Args) => T,
): FactoryProvider<T> {
  return { provide: token, inject: [EMAILS_OPTIONS, ...(inject ?? [])], useFactory } as FactoryProvider<T>;
}
