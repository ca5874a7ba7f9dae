export type { ChangedEmail } from './emails/change/change.service.js';
export type { EmailChanges } from './emails/change/email-changes.fields.js';
export type { ErasureRecord } from './emails/change/erasures.service.js';
export { EmailsModule } from './emails/emails.module.js';
export type * from './emails/emails.options.js';
export {
  EmailsService,
  type ReadOptions,
  type ResendEmail,
  type SendBatchOptions,
  type SendOptions,
  type SentEmail,
} from './emails/emails.service.js';
export { emailIdOf } from './emails/http/email-id.js';
export { emailsOpenApi } from './emails/http/openapi.js';
export { collapseSlashes } from './emails/http/slashes.middleware.js';
export { EventSubscriptions } from './emails/outbox/event-subscriptions.service.js';
export type * from './emails/ports/attachment-storage.js';
export type * from './emails/ports/email-transport.js';
export type * from './emails/ports/emails-observer.js';
export type * from './emails/ports/event-listener.js';
export type * from './emails/ports/event-subscription.js';
export type * from './emails/ports/person-eraser.js';
export type * from './emails/ports/recipient-policy.js';
export type * from './emails/ports/template-source.js';
export type * from './emails/ports/topic-policy.js';
export { queueNames } from './emails/queue/shards.js';
export type { AttachmentRecord, SingleAttachmentRecord } from './emails/read/attachment-record.js';
export type { EmailsQuery } from './emails/read/email-filters.js';
export type { EmailDetails, EmailRecord } from './emails/read/email-record.js';
export { type DueEmails, EmailsBacklog } from './emails/read/emails-backlog.service.js';
export type { EmailMetric, MetricValues } from './emails/read/metrics/metrics.js';
export type { MetricsDimension, MetricsGranularity, MetricsQuery } from './emails/read/metrics/metrics-query.js';
export type { MetricsRecord, MetricsRow } from './emails/read/metrics/metrics-record.js';
export type { SharedEmailRecord, ShareOptions } from './emails/read/sharing.service.js';
export type { BounceRecord, EmailEventRecord } from './emails/read/timeline/event-record.js';
export type { EventsQuery } from './emails/read/timeline/events-query.js';
export type { EmailRecipientRecord } from './emails/read/timeline/recipient-record.js';
export type { BatchAnswer, BatchError, BatchValidation } from './emails/send/batch/batch.service.js';
export { type PreviewOptions, previewTemplate } from './emails/send/templates/preview-template.js';
export type { RenderedTemplate } from './emails/send/templates/template-renderer.js';
export type * from './emails/send-email.js';
export { RECIPIENT_EVENTS } from './emails/states/recipient-state.js';
export { emailsEntities } from './emails/storage/entities.js';
export { emailsMigrations } from './emails/storage/migrations/index.js';
export type { OutboxBacklog } from './emails/storage/outbox.repository.js';
export { PostgresAttachmentStorage } from './emails/storage/postgres-attachment.storage.js';
export { SmtpTransport, type SmtpTransportOptions } from './emails/transports/smtp/smtp-transport.js';
export type {
  AccountResolver,
  Credentials,
  CredentialsResolver,
  IdentifiedKey,
  KeyIdentifier,
} from './shared/callers/account-resolver.js';
export { type Caller, callerOf, noteCaller, type Permission } from './shared/callers/caller.js';
export { callerHandedOn, handOn } from './shared/callers/handed-on.js';
export { API_ERROR_NAMES, ApiError, type ApiErrorBody, type ApiErrorName } from './shared/errors/api-error.js';
export { isDatabaseUnavailable } from './shared/errors/database-errors.js';
export { type Subscription, subscribe, unsubscribe } from './shared/events/subscribe.js';
export { ApiErrorFilter } from './shared/http/api-error.filter.js';
export { JsonBodyInterceptor } from './shared/http/json-body.interceptor.js';
export { lackingAt } from './shared/http/lacking-paths.js';
export { LargeAnswers } from './shared/http/large-answers.js';
export type { PageQuery } from './shared/http/page-query.js';
export { refuse } from './shared/http/refuse.js';
export { type DerivedKey, DerivedKeys, SecretKeys } from './shared/keys/secret-keys.js';
export { ERASED_ADDRESS } from './shared/mailbox/erased-address.js';
export * as openApi from './shared/openapi/components.js';
export { ApiRoutes } from './shared/routes/api-routes.js';
export { carriesOwnProof } from './shared/routes/guarded.js';
export { keepBodyParsers } from './shared/routes/keep-body-parsers.js';
export type { ListEnvelope } from './shared/rows/page.js';
export { checkTemplate } from './shared/text/template-text.js';
export type { BudgetLimits } from './shared/work/byte-budget.js';
