import { ListOf } from '../../shared/rows/list.dto.js';
import { ListedWebhookEventDto } from './listed-webhook-event.dto.js';

/** A page of a webhook's events. */
export class WebhookEventListDto extends ListOf(ListedWebhookEventDto) {}
