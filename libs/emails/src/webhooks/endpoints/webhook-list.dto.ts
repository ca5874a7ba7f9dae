import { ListOf } from '../../shared/rows/list.dto.js';
import { ListedWebhookDto } from './listed-webhook.dto.js';

/** A page of webhooks. */
export class WebhookListDto extends ListOf(ListedWebhookDto) {}
