import { ListOf } from '../../shared/rows/list.dto.js';
import { WebhookStatisticsDto } from './webhook-statistics.dto.js';

/** The numbers of all webhooks of an account, the newest webhook first. */
export class WebhookStatisticsListDto extends ListOf(WebhookStatisticsDto) {}
