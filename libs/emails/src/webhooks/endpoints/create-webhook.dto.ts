import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { says } from '../../shared/validation/sentence.js';
import { AreEventTypes } from './are-event-types.js';
import type { WebhookEventType } from './event-types.js';
import { IsEndpointText } from './is-endpoint-text.js';
import { WEBHOOK_STATUSES, type WebhookStatus } from './webhook.entity.js';

/** The body of `POST /webhooks`. */
export class CreateWebhookDto {
  @Field({ description: '`https`, without credentials and fragment.' })
  @IsEndpointText()
  endpoint!: string;

  @Field()
  @AreEventTypes()
  events!: WebhookEventType[];

  @Field({ schema: { default: 'enabled' } })
  @IsOptional()
  @IsIn(WEBHOOK_STATUSES, says('must be `enabled` or `disabled`'))
  status?: WebhookStatus | undefined;
}
