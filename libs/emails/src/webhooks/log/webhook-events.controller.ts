import type { IncomingMessage } from 'node:http';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathId, pathParameter } from '../../shared/http/path-parameter.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { refuseUnknownWebhook } from '../endpoints/webhooks.controller.js';
import {
  type ListedWebhookEvent,
  type ReplayedWebhookEvent,
  type WebhookAttemptRecord,
  type WebhookEventRecord,
  WebhookEventsService,
} from './webhook-events.service.js';

/** The log of a webhook: `/webhooks/:id/events` (contract, section 8). */
@Controller('webhooks/:id/events')
export class WebhookEventsController {
  constructor(private readonly events: WebhookEventsService) {}

  @Get()
  async list(request: IncomingMessage): Promise<ListEnvelope<ListedWebhookEvent>> {
    const id = pathId(request);
    return (await this.events.list(accountOf(request), id, pageQuery(request.url ?? ''))) ?? refuseUnknownWebhook();
  }

  @Get(':event')
  async find(request: IncomingMessage): Promise<WebhookEventRecord> {
    return (await this.events.find(accountOf(request), pathId(request), eventOf(request))) ?? refuseUnknown();
  }

  @Get(':event/attempts')
  async attempts(request: IncomingMessage): Promise<ListEnvelope<WebhookAttemptRecord>> {
    const query = pageQuery(request.url ?? '');
    const page = await this.events.attempts(accountOf(request), pathId(request), eventOf(request), query);
    return page ?? refuseUnknown();
  }

  @Post(':event/replay')
  @HttpCode(200)
  async replay(request: IncomingMessage): Promise<ReplayedWebhookEvent> {
    return (await this.events.replay(accountOf(request), pathId(request), eventOf(request))) ?? refuseUnknown();
  }
}

function eventOf(request: IncomingMessage): string {
  return pathParameter(request, 'event');
}

function refuseUnknown(): never {
  throw ApiError.notFound('Webhook event not found');
}
