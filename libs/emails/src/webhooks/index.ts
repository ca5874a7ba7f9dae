export type { FeatureExtras, FeatureFactory, FeatureSettings } from '../shared/features/feature.options.js';
export {
  type SignedWebhook,
  type SignedWebhookOptions,
  signedWebhook,
  type WebhookPayload,
} from '../shared/keys/signed-webhook.js';
export type { Given, GivenValue } from '../shared/validation/given.js';
export { WebhookEraser } from './deliver/webhook-eraser.js';
export { WebhookSubscription } from './deliver/webhook-subscription.js';
export { ChangedWebhookDto } from './endpoints/changed-webhook.dto.js';
export { CreateWebhookDto } from './endpoints/create-webhook.dto.js';
export { type TestEventType, WEBHOOK_EVENT_TYPES, type WebhookEventType } from './endpoints/event-types.js';
export { ListedWebhookDto } from './endpoints/listed-webhook.dto.js';
export { NewWebhookDto } from './endpoints/new-webhook.dto.js';
export { UpdateWebhookDto } from './endpoints/update-webhook.dto.js';
export { WebhookDto } from './endpoints/webhook.dto.js';
export type { WebhookStatus } from './endpoints/webhook.entity.js';
export { WebhookEntity } from './endpoints/webhook.entity.js';
export { WebhookListDto } from './endpoints/webhook-list.dto.js';
export { type WebhookChanges, WebhooksService, type WebhookValues } from './endpoints/webhooks.service.js';
export { ListedWebhookEventDto } from './log/listed-webhook-event.dto.js';
export { LogQueryDto } from './log/log-query.dto.js';
export { ReplayWebhookDto } from './log/replay-webhook.dto.js';
export { ReplayedWebhookDto } from './log/replayed-webhook.dto.js';
export { ReplayedWebhookEventDto } from './log/replayed-webhook-event.dto.js';
export { TestWebhookDto } from './log/test-webhook.dto.js';
export { WebhookAttemptDto } from './log/webhook-attempt.dto.js';
export { WebhookAttemptEntity } from './log/webhook-attempt.entity.js';
export { WebhookAttemptListDto } from './log/webhook-attempt-list.dto.js';
export { WebhookEventDto } from './log/webhook-event.dto.js';
export { WebhookEventEntity } from './log/webhook-event.entity.js';
export { WebhookEventListDto } from './log/webhook-event-list.dto.js';
export type { WebhookEventStatus } from './log/webhook-event-status.js';
export {
  type ReplayWebhookValues,
  type TestWebhookValues,
  WebhookEventsService,
} from './log/webhook-events.service.js';
export { WebhookPayloadEntity } from './log/webhook-payload.entity.js';
export { WebhookStatisticsDto } from './log/webhook-statistics.dto.js';
export { WebhookStatisticsListDto } from './log/webhook-statistics-list.dto.js';
export type { SealedSecret } from './secrets/sealed-secrets.js';
export { webhooks } from './webhooks.feature.js';
export type * from './webhooks.options.js';
export { type WaitingWebhookEvents, WebhooksBacklog } from './webhooks-backlog.service.js';
