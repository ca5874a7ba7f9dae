import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { CurrentCaller, PathId, PathText, RequestQuery } from '../../shared/routes/parameters.js';
import { refuseUnknownWebhook } from '../endpoints/webhooks.controller.js';
import { LogQueryDto } from './log-query.dto.js';
import type { ReplayedWebhookEventDto } from './replayed-webhook-event.dto.js';
import type { WebhookAttemptListDto } from './webhook-attempt-list.dto.js';
import type { WebhookEventDto } from './webhook-event.dto.js';
import type { WebhookEventListDto } from './webhook-event-list.dto.js';
import { WebhookEventsService } from './webhook-events.service.js';

/** The log of a webhook: `/webhooks/:id/events` (contract, section 8). */
@Controller('webhooks/:id/events')
export class WebhookEventsController {
  constructor(private readonly events: WebhookEventsService) {}

  @Get()
  @NeedsRole('admin')
  async list(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @RequestQuery() query: LogQueryDto,
  ): Promise<WebhookEventListDto> {
    return (await this.events.list(accountId, id, query)) ?? refuseUnknownWebhook();
  }

  @Get(':event')
  @NeedsRole('admin')
  async find(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @PathText('event') event: string,
  ): Promise<WebhookEventDto> {
    return (await this.events.find(accountId, id, event)) ?? refuseUnknown();
  }

  @Get(':event/attempts')
  @NeedsRole('admin')
  async attempts(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @PathText('event') event: string,
    @RequestQuery() query: LogQueryDto,
  ): Promise<WebhookAttemptListDto> {
    return (await this.events.attempts(accountId, id, event, query)) ?? refuseUnknown();
  }

  @Post(':event/replay')
  @HttpCode(200)
  @NeedsRole('admin')
  async replay(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @PathText('event') event: string,
  ): Promise<ReplayedWebhookEventDto> {
    return (await this.events.replay(caller.accountId, id, event, caller)) ?? refuseUnknown();
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('Webhook event not found');
}
