import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { says } from '../../shared/validation/sentence.js';
import { TEST_EVENT_TYPES, type TestEventType } from '../endpoints/event-types.js';

/** The body of `POST /webhooks/:id/test`. */
export class TestWebhookDto {
  @Field({ description: 'Default: the first type of the webhook that has a test event, else `email.delivered`.' })
  @IsOptional()
  @IsIn(TEST_EVENT_TYPES, says('must be an event type of emails, contacts or topics that this server sends'))
  type?: TestEventType | undefined;
}
