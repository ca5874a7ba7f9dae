import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { CurrentCaller, IdempotencyKey, PathId, RequestBody, RequestContext } from '../../shared/routes/parameters.js';
import type { EmailActionDto } from '../actions/email-action.dto.js';
import { EmailActionsService } from '../actions/email-actions.service.js';
import { StartActionDto } from '../actions/start-action.dto.js';
import type { StartedActionDto } from '../actions/started-action.dto.js';

/** Actions on many emails (contract, section 4.6). */
@Controller('emails/actions')
export class EmailActionsController {
  constructor(private readonly actions: EmailActionsService) {}

  @Post()
  @NeedsRole('support')
  @HttpCode(202)
  async start(
    @RequestBody() request: StartActionDto,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @RequestContext() context: RequestContext,
  ): Promise<StartedActionDto> {
    const options = { idempotencyKey, key: caller, caller };
    const { action, replayed } = await this.actions.start(caller.accountId, request, options);
    if (replayed) context.replayed();
    return action;
  }

  @Get(':id')
  @NeedsRole('support')
  async find(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<EmailActionDto> {
    const action = await this.actions.find(accountId, id);
    if (!action) throw ApiError.notFound('Action not found');
    return action;
  }
}
