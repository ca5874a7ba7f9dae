import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsRepeated } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { AreEventTypes } from './are-event-types.js';
import type { WebhookEventType } from './event-types.js';
import { IsEndpointText } from './is-endpoint-text.js';
import { WEBHOOK_STATUSES, type WebhookStatus } from './webhook.entity.js';

/** The body of `PATCH /webhooks/:id`. */
export class UpdateWebhookDto {
  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  webhook_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsEndpointText()
  endpoint?: string | undefined;

  @Field()
  @IsOptional()
  @AreEventTypes()
  events?: WebhookEventType[] | undefined;

  @Field({ description: '`disabled` drops waiting events; `enabled` starts again.' })
  @IsOptional()
  @IsIn(WEBHOOK_STATUSES, says('must be `enabled` or `disabled`'))
  status?: WebhookStatus | undefined;
}
