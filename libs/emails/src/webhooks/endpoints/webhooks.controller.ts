import type { IncomingMessage } from 'node:http';
import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import {
  type ChangedWebhook,
  type ListedWebhook,
  type NewWebhook,
  type WebhookChanges,
  type WebhookRecord,
  WebhooksService,
  type WebhookValues,
} from './webhooks.service.js';

/** `/webhooks` (contract, section 8). */
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody<WebhookValues>): Promise<NewWebhook> {
    return this.webhooks.create(accountOf(request), request.body);
  }

  @Get()
  list(request: IncomingMessage): Promise<ListEnvelope<ListedWebhook>> {
    return this.webhooks.list(accountOf(request), pageQuery(request.url ?? ''));
  }

  @Get(':id')
  async find(request: IncomingMessage): Promise<WebhookRecord> {
    const id = pathId(request);
    return (await this.webhooks.find(accountOf(request), id)) ?? refuseUnknownWebhook();
  }

  @Patch(':id')
  @ReadsJson()
  async update(request: RequestWithBody<WebhookChanges>): Promise<ChangedWebhook> {
    const id = pathId(request);
    return (await this.webhooks.update(accountOf(request), id, request.body)) ?? refuseUnknownWebhook();
  }

  @Delete(':id')
  async remove(request: IncomingMessage) {
    const id = pathId(request);
    const removed = await this.webhooks.remove(accountOf(request), id);
    return { object: 'webhook', id: removed ?? refuseUnknownWebhook(), deleted: true };
  }

  @Post(':id/signing-secret/rotate')
  @HttpCode(200)
  async rotate(request: IncomingMessage): Promise<NewWebhook> {
    const id = pathId(request);
    return (await this.webhooks.rotate(accountOf(request), id)) ?? refuseUnknownWebhook();
  }
}

/** @throws ApiError 404 */
export function refuseUnknownWebhook(): never {
  throw ApiError.notFound('Webhook not found');
}
