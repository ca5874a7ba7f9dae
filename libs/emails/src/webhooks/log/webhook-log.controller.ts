import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { CurrentCaller, PathId, RequestBody } from '../../shared/routes/parameters.js';
import { refuseUnknownWebhook } from '../endpoints/webhooks.controller.js';
import { ReplayWebhookDto } from './replay-webhook.dto.js';
import type { ReplayedWebhookDto } from './replayed-webhook.dto.js';
import type { ReplayedWebhookEventDto } from './replayed-webhook-event.dto.js';
import { TestWebhookDto } from './test-webhook.dto.js';
import { WebhookEventsService } from './webhook-events.service.js';
import type { WebhookStatisticsListDto } from './webhook-statistics-list.dto.js';

/** The logs of webhooks as a whole: statistics, test events, replays of failed events (contract, section 8). */
@Controller('webhooks')
export class WebhookLogController {
  constructor(private readonly events: WebhookEventsService) {}

  @Get('statistics')
  @NeedsRole('admin')
  statistics(@CurrentCaller() { accountId }: Caller): Promise<WebhookStatisticsListDto> {
    return this.events.statistics(accountId);
  }

  @Post(':id/test')
  @NeedsRole('admin')
  @HttpCode(200)
  async test(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody() test: TestWebhookDto,
  ): Promise<ReplayedWebhookEventDto> {
    return (await this.events.test(caller.accountId, id, test, caller)) ?? refuseUnknownWebhook();
  }

  @Post(':id/replay')
  @NeedsRole('admin')
  @HttpCode(200)
  async replay(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody() failed: ReplayWebhookDto,
  ): Promise<ReplayedWebhookDto> {
    return (await this.events.replayFailed(caller.accountId, id, failed, caller)) ?? refuseUnknownWebhook();
  }
}
