import { AnswerField } from '../../shared/validation/field.js';
import { ChangedWebhookDto } from './changed-webhook.dto.js';

/** A webhook whose secret is shown. */
export class NewWebhookDto extends ChangedWebhookDto {
  @AnswerField({ schema: { type: 'string', pattern: '^whsec_' } })
  signing_secret!: string;
}
