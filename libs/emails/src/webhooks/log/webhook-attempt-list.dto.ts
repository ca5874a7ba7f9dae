import { ListOf } from '../../shared/rows/list.dto.js';
import { WebhookAttemptDto } from './webhook-attempt.dto.js';

/** A page of the requests for one event. */
export class WebhookAttemptListDto extends ListOf(WebhookAttemptDto) {}
