export type { FeatureExtras } from '../shared/features/feature.options.js';
export { WebhookEraser } from './deliver/webhook-eraser.js';
export { WebhookSubscription } from './deliver/webhook-subscription.js';
export type { WebhookEventType } from './endpoints/event-types.js';
export type { WebhookStatus } from './endpoints/webhook.entity.js';
export {
  type ChangedWebhook,
  type ListedWebhook,
  type NewWebhook,
  type WebhookChanges,
  type WebhookRecord,
  WebhooksService,
  type WebhookValues,
} from './endpoints/webhooks.service.js';
export { webhooksEntities } from './entities.js';
export {
  type ListedWebhookEvent,
  type LogQuery,
  type ReplayedWebhookEvent,
  type WebhookAttemptRecord,
  type WebhookEventRecord,
  type WebhookEventStatus,
  WebhookEventsService,
} from './log/webhook-events.service.js';
export { webhooksMigrations } from './migrations/index.js';
export { WebhooksModule } from './webhooks.module.js';
export { webhooksOpenApi } from './webhooks.openapi.js';
export type * from './webhooks.options.js';
export { type WaitingWebhookEvents, WebhooksBacklog } from './webhooks-backlog.service.js';
