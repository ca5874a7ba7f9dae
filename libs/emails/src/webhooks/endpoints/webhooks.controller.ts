import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { CurrentCaller, PathId, RequestBody, RequestQuery } from '../../shared/routes/parameters.js';
import type { ChangedWebhookDto } from './changed-webhook.dto.js';
import { CreateWebhookDto } from './create-webhook.dto.js';
import type { NewWebhookDto } from './new-webhook.dto.js';
import { UpdateWebhookDto } from './update-webhook.dto.js';
import type { WebhookDto } from './webhook.dto.js';
import type { WebhookListDto } from './webhook-list.dto.js';
import { WebhooksService } from './webhooks.service.js';

/** `/webhooks` (contract, section 8). */
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() webhook: CreateWebhookDto): Promise<NewWebhookDto> {
    return this.webhooks.create(caller.accountId, webhook, caller);
  }

  @Get()
  @NeedsRole('admin')
  list(@CurrentCaller() { accountId }: Caller, @RequestQuery() page: WholeListQueryDto): Promise<WebhookListDto> {
    return this.webhooks.list(accountId, page);
  }

  @Get(':id')
  @NeedsRole('admin')
  async find(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<WebhookDto> {
    return (await this.webhooks.find(accountId, id)) ?? refuseUnknownWebhook();
  }

  @Patch(':id')
  @NeedsRole('admin')
  async update(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody() changes: UpdateWebhookDto,
  ): Promise<ChangedWebhookDto> {
    return (await this.webhooks.update(caller.accountId, id, changes, caller)) ?? refuseUnknownWebhook();
  }

  @Delete(':id')
  @NeedsRole('admin')
  async remove(@CurrentCaller() caller: Caller, @PathId() id: string) {
    const removed = await this.webhooks.remove(caller.accountId, id, caller);
    return { object: 'webhook', id: removed ?? refuseUnknownWebhook(), deleted: true };
  }

  @Post(':id/signing-secret/rotate')
  @HttpCode(200)
  @NeedsRole('admin')
  async rotate(@CurrentCaller() caller: Caller, @PathId() id: string): Promise<NewWebhookDto> {
    return (await this.webhooks.rotate(caller.accountId, id, caller)) ?? refuseUnknownWebhook();
  }
}

/** @throws ApiError 404 */
export function refuseUnknownWebhook(): never {
  throw ApiError.notFound('Webhook not found');
}
