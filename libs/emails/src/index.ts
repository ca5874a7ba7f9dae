export { ActionRefusalDto } from './emails/actions/action-refusal.dto.js';
export { EmailActionDto } from './emails/actions/email-action.dto.js';
export { EMAIL_ACTIONS, type EmailAction, StartActionDto } from './emails/actions/start-action.dto.js';
export { StartedActionDto } from './emails/actions/started-action.dto.js';
export { ChangedEmailDto } from './emails/change/changed-email.dto.js';
export { CreateErasureDto } from './emails/change/create-erasure.dto.js';
export { ErasureDto } from './emails/change/erasure.dto.js';
export { UpdateEmailDto } from './emails/change/update-email.dto.js';
export { EmailsModule } from './emails/emails.module.js';
export type * from './emails/emails.options.js';
export {
  EmailsService,
  type ReadOptions,
  type ResendEmail,
  type SendBatchOptions,
  type SendOptions,
} from './emails/emails.service.js';
export { type EmailsDatabase, emailsDatabase } from './emails/features/emails-database.js';
export type { EmailsFeature, Provided } from './emails/features/emails-feature.js';
export {
  type EmailsFeatureExtras,
  EmailsFeatureModule,
  type EmailsFeatureOptions,
} from './emails/features/emails-feature.module.js';
export { emailsOpenApi } from './emails/http/openapi.js';
export { collapseSlashes } from './emails/http/slashes.middleware.js';
export { type OpenApiDocument, type WithEmailsOptions, withEmails } from './emails/http/with-emails.js';
export { type EmailEventName, OnEmailEvent } from './emails/observation/on-email-event.js';
export { EventSubscriptions } from './emails/outbox/event-subscriptions.service.js';
export type * from './emails/ports/alarm-source.js';
export type * from './emails/ports/attachment-storage.js';
export type * from './emails/ports/content-owner.js';
export type * from './emails/ports/drained.js';
export type * from './emails/ports/email-transport.js';
export type * from './emails/ports/emails-observer.js';
export type * from './emails/ports/event-listener.js';
export type * from './emails/ports/event-subscription.js';
export type * from './emails/ports/health-check.js';
export type * from './emails/ports/message-signer.js';
export type * from './emails/ports/message-stage.js';
export type * from './emails/ports/metrics-source.js';
export type * from './emails/ports/named-transport.js';
export type * from './emails/ports/next-hop-status.js';
export type * from './emails/ports/pause.js';
export type * from './emails/ports/paused-mail.js';
export type * from './emails/ports/person-eraser.js';
export type { QuotaLimit, QuotaOptions } from './emails/ports/quota.options.js';
export type * from './emails/ports/recipient-policy.js';
export { isSplit, type RecipientsPerMessage } from './emails/ports/recipients-per-message.js';
export type * from './emails/ports/reported-outcome.js';
export type * from './emails/ports/route-chooser.js';
export type * from './emails/ports/sender-policy.js';
export type * from './emails/ports/staging-part.js';
export type * from './emails/ports/template-source.js';
export type * from './emails/ports/topic-policy.js';
export type * from './emails/ports/unsubscribe-links.js';
export type * from './emails/ports/unsubscribe-mailbox.js';
export { queueNames } from './emails/queue/shards.js';
export { ActionDto } from './emails/read/actions/action.dto.js';
export { ActionListDto } from './emails/read/actions/action-list.dto.js';
export { ListActionsQueryDto } from './emails/read/actions/list-actions-query.dto.js';
export { EmailDto } from './emails/read/email.dto.js';
export { EmailCountDto } from './emails/read/email-count.dto.js';
export { EmailDetailsDto } from './emails/read/email-details.dto.js';
export { EmailListDto } from './emails/read/email-list.dto.js';
export { type DueEmails, EmailsBacklog } from './emails/read/emails-backlog.service.js';
export {
  EmailsHealthIndicator,
  type EmailsHealthOptions,
  type EmailsHealthResult,
} from './emails/read/emails-health.indicator.js';
export { EmailsNextHop } from './emails/read/emails-next-hop.service.js';
export { FeatureMetrics } from './emails/read/feature-metrics.service.js';
export type { EmailFilterObject } from './emails/read/filter-object.js';
export { HeldDto } from './emails/read/held.dto.js';
export { ListEmailsQueryDto } from './emails/read/list-emails-query.dto.js';
export { ListedEmailDto } from './emails/read/listed-email.dto.js';
export { EmailMetricsDto } from './emails/read/metrics/email-metrics.dto.js';
export { MetricValuesDto } from './emails/read/metrics/metric-values.dto.js';
export type { EmailMetric, MetricsDimension, MetricsGranularity, MetricValues } from './emails/read/metrics/metrics.js';
export { MetricsQueryDto } from './emails/read/metrics/metrics-query.dto.js';
export { MetricsRowDto } from './emails/read/metrics/metrics-row.dto.js';
export { SentAttachmentDto } from './emails/read/sent-attachment.dto.js';
export { SentAttachmentListDto } from './emails/read/sent-attachment-list.dto.js';
export { SentTagDto } from './emails/read/sent-tag.dto.js';
export { ShareEmailDto } from './emails/read/share-email.dto.js';
export { SharedEmailDto } from './emails/read/shared-email.dto.js';
export { SingleAttachmentDto } from './emails/read/single-attachment.dto.js';
export { SourceQueryDto } from './emails/read/source/source-query.dto.js';
export { BounceDto } from './emails/read/timeline/bounce.dto.js';
export { EmailEventDto } from './emails/read/timeline/email-event.dto.js';
export { EmailEventListDto } from './emails/read/timeline/email-event-list.dto.js';
export { EmailRecipientDto } from './emails/read/timeline/email-recipient.dto.js';
export { EmailRecipientListDto } from './emails/read/timeline/email-recipient-list.dto.js';
export { ListEventsQueryDto } from './emails/read/timeline/list-events-query.dto.js';
export { BatchDto } from './emails/send/batch/batch.dto.js';
export type { BatchValidation } from './emails/send/batch/batch.service.js';
export { BatchErrorDto } from './emails/send/batch/batch-error.dto.js';
export { type AttachmentContent, AttachmentDto } from './emails/send/request/attachment.dto.js';
export { SendEmailDto } from './emails/send/request/send-email.dto.js';
export { TagDto } from './emails/send/request/tag.dto.js';
export { TemplateDto } from './emails/send/request/template.dto.js';
export { ResendEmailDto } from './emails/send/resend/resend-email.dto.js';
export { SentEmailDto } from './emails/send/sent-email.dto.js';
export { type PreviewOptions, previewTemplate } from './emails/send/templates/preview-template.js';
export type { RenderedTemplate } from './emails/send/templates/template-renderer.js';
export type * from './emails/send-email.js';
export type { StagingOptions } from './emails/staging/staging.options.js';
export { StagingSwitch } from './emails/staging/staging-switch.js';
export { EMAIL_PRIORITIES, type EmailPriority } from './emails/states/email-priorities.js';
export { REASON_CODES, type ReasonCode, reasonText } from './emails/states/reason-codes.js';
export { RECIPIENT_EVENTS } from './emails/states/recipient-state.js';
export { SUPPRESSION_REASONS } from './emails/states/suppression-reasons.js';
export { ActionEntity } from './emails/storage/entities/action.entity.js';
export { AlarmEntity } from './emails/storage/entities/alarm.entity.js';
export { AttachmentEntity } from './emails/storage/entities/attachment.entity.js';
export { AttachmentContentEntity } from './emails/storage/entities/attachment-content.entity.js';
export { AttemptEntity } from './emails/storage/entities/attempt.entity.js';
export { DeliveryEntity } from './emails/storage/entities/delivery.entity.js';
export { EmailEntity } from './emails/storage/entities/email.entity.js';
export { EmailActionEntity } from './emails/storage/entities/email-action.entity.js';
export { EmailTermEntity } from './emails/storage/entities/email-term.entity.js';
export { ErasureEntity } from './emails/storage/entities/erasure.entity.js';
export { ErasureRemainderEntity } from './emails/storage/entities/erasure-remainder.entity.js';
export { EventEntity } from './emails/storage/entities/event.entity.js';
export { EventCountEntity } from './emails/storage/entities/event-count.entity.js';
export { EventTotalEntity } from './emails/storage/entities/event-total.entity.js';
export { IdempotencyKeyEntity } from './emails/storage/entities/idempotency-key.entity.js';
export { IdempotentAnswerEntity } from './emails/storage/entities/idempotent-answer.entity.js';
export { PauseEntity } from './emails/storage/entities/pause.entity.js';
export { QuotaCountEntity } from './emails/storage/entities/quota-count.entity.js';
export { PostgresAttachmentStorage } from './emails/storage/keep/postgres-attachment.storage.js';
export type { OutboxBacklog } from './emails/storage/outbox/outbox.repository.js';
export type { AuthMethod, SmtpCredentials } from './emails/transports/smtp/auth-mechanisms.js';
export { SmtpTransport } from './emails/transports/smtp/smtp-transport.js';
export type { SmtpTransportOptions } from './emails/transports/smtp/smtp-transport.options.js';
export { ACTION_LOG, type Action, type ActionLog } from './shared/actions/action-log.js';
export type { ActionName } from './shared/actions/action-names.js';
export { ALARM_CODES, type AlarmCode } from './shared/alarms/alarm-codes.js';
export { ALARMS, type AlarmKey, type Alarms, type NewAlarm } from './shared/alarms/alarms.js';
export type {
  AccountResolver,
  Credentials,
  CredentialsResolver,
  IdentifiedKey,
  KeyIdentifier,
} from './shared/callers/account-resolver.js';
export { type Caller, callerOf, noteCaller, type Permission } from './shared/callers/caller.js';
export { callerHandedOn, handOn } from './shared/callers/handed-on.js';
export { NeedsRole, requireRole, roleOf } from './shared/callers/page-role.js';
export type { PageRole } from './shared/callers/page-roles.js';
export { DOMAIN_DIRECTORY, type DomainDirectory } from './shared/domains/domain-directory.js';
export { ApiError, type ApiErrorBody } from './shared/errors/api-error.js';
export type { ApiErrorName } from './shared/errors/api-errors.js';
export { isDatabaseUnavailable } from './shared/errors/database-errors.js';
export { type Subscription, subscribe, unsubscribe } from './shared/events/subscribe.js';
export { CORE_OPTIONS, type CoreOptions, type Feature } from './shared/features/feature.js';
export type { FeatureExtras, Role } from './shared/features/feature.options.js';
export type { HousekeepingTask } from './shared/features/housekeeping-task.js';
export { UnsubscribePreview } from './shared/features/unsubscribe-preview.js';
export { answerInPieces } from './shared/http/answer.js';
export { ApiErrorFilter } from './shared/http/api-error.filter.js';
export { emailIdOf } from './shared/http/email-id.js';
export { isBehindTls } from './shared/http/is-behind-tls.js';
export { JsonBodyInterceptor } from './shared/http/json-body.interceptor.js';
export { lackingAt } from './shared/http/lacking-paths.js';
export { LargeAnswers } from './shared/http/large-answers.js';
export { PageQueryDto, WholeListQueryDto } from './shared/http/page-query.dto.js';
export { readQuery } from './shared/http/query.js';
export type { BodyRule } from './shared/http/reads-json.js';
export { refuse } from './shared/http/refuse.js';
export { type DerivedKey, DerivedKeys, SecretKeys } from './shared/keys/secret-keys.js';
export { ERASED_ADDRESS } from './shared/mailbox/erased-address.js';
export type { CreatedObjects, CreatedTable, FeatureMigration } from './shared/migrations/makes.js';
export * as openApi from './shared/openapi/components.js';
export type { BounceKind } from './shared/replies/bounce.js';
export { BOUNCE_REASONS, type BounceReason, bounceOfReason, isAboutAddress } from './shared/replies/bounce-reasons.js';
export { judgeReply, type RefusedReply, type ReplyJudgement } from './shared/replies/judge-reply.js';
export { operatorOfHost } from './shared/replies/operator-words.js';
export { SMTP_STAGES } from './shared/replies/smtp-stages.js';
export { ApiRoutes } from './shared/routes/api-routes.js';
export type { CurrentRequest } from './shared/routes/current-request.js';
export { carriesOwnProof } from './shared/routes/guarded.js';
export { keepBodyParsers } from './shared/routes/keep-body-parsers.js';
export {
  CurrentCaller,
  IdempotencyKey,
  PathId,
  PathText,
  RequestBody,
  RequestContext,
  RequestQuery,
} from './shared/routes/parameters.js';
export type { ListEnvelope } from './shared/rows/page.js';
export type { SqlTransaction, Transaction } from './shared/rows/sql-transaction.js';
export { checkTemplate } from './shared/text/template-text.js';
export type { Dto, FieldFacts } from './shared/validation/dto-fields.js';
export { Field } from './shared/validation/field.js';
export type { Given, GivenValue } from './shared/validation/given.js';
export type { BudgetLimits } from './shared/work/byte-budget.js';
