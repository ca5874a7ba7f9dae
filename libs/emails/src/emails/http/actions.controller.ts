import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { CurrentCaller, RequestQuery } from '../../shared/routes/parameters.js';
import type { ActionListDto } from '../read/actions/action-list.dto.js';
import { ActionsService } from '../read/actions/actions.service.js';
import { ListActionsQueryDto } from '../read/actions/list-actions-query.dto.js';

/** `/actions`, which Resend's API does not have: who changed what. */
@Controller('actions')
export class ActionsController {
  constructor(private readonly actions: ActionsService) {}

  @Get()
  @NeedsRole('admin')
  list(@CurrentCaller() { accountId }: Caller, @RequestQuery() query: ListActionsQueryDto): Promise<ActionListDto> {
    return this.actions.list(accountId, query);
  }
}
