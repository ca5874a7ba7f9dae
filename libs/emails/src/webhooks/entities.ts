import { WebhookEntity } from './endpoints/webhook.entity.js';
import { WebhookAttemptEntity } from './log/webhook-attempt.entity.js';
import { WebhookEventEntity } from './log/webhook-event.entity.js';
import { WebhookPayloadEntity } from './log/webhook-payload.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const webhooksEntities: (new () => object)[] = [
  WebhookEntity,
  WebhookEventEntity,
  WebhookPayloadEntity,
  WebhookAttemptEntity,
];
