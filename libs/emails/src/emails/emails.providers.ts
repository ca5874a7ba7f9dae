import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { listeningAddress } from '../shared/routes/listening-address.js';
import { EmailActionsService } from './actions/email-actions.service.js';
import { ChangeService } from './change/change.service.js';
import { ErasuresService } from './change/erasures.service.js';
import { PausesService } from './change/pauses.service.js';
import { Persistence } from './change/persistence.js';
import { ReportService } from './change/report.service.js';
import { UnsubscribeService } from './change/unsubscribe.service.js';
import type { EmailsOptions } from './emails.options.js';
import { EmailsService } from './emails.service.js';
import { WHOLE_OPTIONS } from './emails.tokens.js';
import { EMAIL_LIMITS } from './limits.js';
import { MessageBuilder } from './message/message-builder.js';
import { MESSAGE_SIGNERS, MessageSigners } from './message/message-signers.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import { OutboxWorker } from './outbox/outbox.worker.js';
import { ATTACHMENT_STORAGE, type AttachmentStorage } from './ports/attachment-storage.js';
import { AttachmentsService } from './read/attachments.service.js';
import { ExportService } from './read/export/export.service.js';
import { LINK_ROUTE, Links } from './read/links/links.js';
import { ListingService } from './read/listing.service.js';
import { MetricsService } from './read/metrics/metrics.service.js';
import { SharingService } from './read/sharing.service.js';
import { IS_REDIRECTED, RECIPIENTS_PER_MESSAGE, SourceService } from './read/source/source.service.js';
import { TimelineService } from './read/timeline/timeline.service.js';
import { ACCEPTANCE_RULES, AcceptanceService } from './send/acceptance.service.js';
import { AfterCommit } from './send/after-commit.js';
import { AnswersService } from './send/answers/answers.service.js';
import { AttachmentFetcher } from './send/attachments/attachment-fetcher.js';
import { AttachmentResolver, RESOLVER_LIMITS } from './send/attachments/attachment-resolver.js';
import { BatchService } from './send/batch/batch.service.js';
import { senderPoliciesOf } from './send/bound-keys.policy.js';
import { ContentRule } from './send/content-rule.js';
import { EmailComposer } from './send/email-composer.js';
import { GivenMessageIds } from './send/given-message-ids.js';
import { Quotas } from './send/quotas/quotas.js';
import { ResendService } from './send/resend/resend.service.js';
import { SearchWords } from './send/search-words.js';
import { SenderPolicies } from './send/sender-policies.js';
import { TemplateRendering } from './send/templates/request-templates.js';
import { UnsubscribeRule } from './send/unsubscribe-rule.js';
import { StagingSwitch } from './staging/staging-switch.js';
import { EmailsRepository } from './storage/accept/emails.repository.js';
import { QuotaRepository } from './storage/accept/quota.repository.js';
import { TimelineRepository, type TimelineStore } from './storage/read/timeline.repository.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** From a request to a written email and back: providers for every role. The testing module replaces their base. */
export const acceptance: Provider[] = [
  provide(Observation, [], ({ observers }) => new Observation(observers ?? [])),
  provide(
    EventAnnouncer,
    [{ token: OutboxWorker, optional: true }],
    ({ eventListeners, eventSubscriptions }, outbox?: OutboxWorker) =>
      new EventAnnouncer([...(eventListeners ?? []), ...(outbox && eventSubscriptions?.length ? [outbox] : [])]),
  ),
  provide(
    AttachmentFetcher,
    [],
    ({ fetch, http }) =>
      new AttachmentFetcher({
        ports: fetch?.ports ?? [80, 443],
        timeout: fetch?.timeout ?? EMAIL_LIMITS.fetchTime.max,
        maxBytes: http?.messageLimit ?? EMAIL_LIMITS.message.max,
        allowedHosts: fetch?.allowedHosts ?? [],
      }),
  ),
  provide(RESOLVER_LIMITS, [], ({ http, fetch }) => ({
    message: http?.messageLimit ?? EMAIL_LIMITS.message.max,
    fetchTime: fetch?.requestTimeout ?? EMAIL_LIMITS.fetchTimeOfRequest.max,
  })),
  AttachmentResolver,
  provide(SearchWords, [], ({ search = true }) => new SearchWords(search)),
  provide(SenderPolicies, [], (options) => new SenderPolicies(senderPoliciesOf(options))),
  provide(
    EmailComposer,
    [EmailsRepository, SenderPolicies, SearchWords],
    (
      { templateSource, topicPolicy, unsubscribeLinks, recipientsPerMessage, http, requireContent = false },
      repository: EmailsRepository,
      senders: SenderPolicies,
      searchWords: SearchWords,
    ) =>
      new EmailComposer(
        new TemplateRendering(templateSource, http?.messageLimit ?? EMAIL_LIMITS.message.max),
        topicPolicy,
        new GivenMessageIds(repository),
        new ContentRule(requireContent),
        new UnsubscribeRule(unsubscribeLinks, recipientsPerMessage),
        senders,
        searchWords,
      ),
  ),
  provide(Quotas, [QuotaRepository], ({ quota }, counts: QuotaRepository) => new Quotas(counts, quota)),
  provide(ACCEPTANCE_RULES, [], ({ idempotency }) => ({ idempotencyRetention: idempotency?.retention ?? DAY })),
  AfterCommit,
  AcceptanceService,
  AnswersService,
  BatchService,
  ResendService,
  provide(
    ListingService,
    [EmailsRepository],
    ({ search = true }, repository: EmailsRepository) => new ListingService(repository, search),
  ),
  Persistence,
  ChangeService,
  ReportService,
  provide(
    UnsubscribeService,
    [TimelineRepository, ReportService],
    ({ unsubscribeLinks }, emails: TimelineStore, reports: ReportService) =>
      new UnsubscribeService(emails, unsubscribeLinks, reports),
  ),
  PausesService,
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
  provide(MessageBuilder, [ATTACHMENT_STORAGE], (_, attachments: AttachmentStorage) => new MessageBuilder(attachments)),
  provide(MESSAGE_SIGNERS, [], ({ messageSigners, dkim }) => new MessageSigners(messageSigners, dkim)),
  AttachmentsService,
  SharingService,
  provide(RECIPIENTS_PER_MESSAGE, [], ({ recipientsPerMessage = 'all' }) => recipientsPerMessage),
  provide(StagingSwitch, [], ({ delivery }) => new StagingSwitch(delivery)),
  provide(IS_REDIRECTED, [], ({ delivery }) => delivery?.redirectAllTo !== undefined),
  SourceService,
  TimelineService,
  MetricsService,
  ErasuresService,
  EmailActionsService,
  ExportService,
  EmailsService,
];

/** Creates a provider from the options and other providers. */
export function provide<T, Args extends unknown[]>(
  token: Type<T> | symbol,
  inject: FactoryProvider['inject'],
  useFactory: (options: EmailsOptions, ...args: Args) => T,
): FactoryProvider<T> {
  return { provide: token, inject: [WHOLE_OPTIONS, ...(inject ?? [])], useFactory } as FactoryProvider<T>;
}
