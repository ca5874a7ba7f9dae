import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { sendCsv } from '../../shared/http/send-csv.js';
import { CurrentCaller, PathText, RequestBody, RequestContext, RequestQuery } from '../../shared/routes/parameters.js';
import { AddSuppressionDto } from './add-suppression.dto.js';
import { AddSuppressionsDto } from './add-suppressions.dto.js';
import type { AddedSuppressionDto } from './added-suppression.dto.js';
import type { AddedSuppressionsDto } from './added-suppressions.dto.js';
import { ListSuppressionsQueryDto } from './list-suppressions-query.dto.js';
import { RemoveSuppressionsDto } from './remove-suppressions.dto.js';
import type { RemovedSuppressionDto } from './removed-suppression.dto.js';
import type { RemovedSuppressionsDto } from './removed-suppressions.dto.js';
import type { SuppressionDto } from './suppression.dto.js';
import type { SuppressionListDto } from './suppression-list.dto.js';
import { SuppressionsService } from './suppressions.service.js';
import { UndoSuppressionsDto } from './undo-suppressions.dto.js';
import type { UndoneSuppressionsDto } from './undone-suppressions.dto.js';

/** `/suppressions` (contract, section 5). */
@Controller('suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Post()
  @NeedsRole('admin')
  add(@CurrentCaller() caller: Caller, @RequestBody() entry: AddSuppressionDto): Promise<AddedSuppressionDto> {
    return this.suppressions.add(caller.accountId, entry, caller);
  }

  @Post('batch/add')
  @NeedsRole('admin')
  addAll(@CurrentCaller() caller: Caller, @RequestBody() entries: AddSuppressionsDto): Promise<AddedSuppressionsDto> {
    return this.suppressions.addAll(caller.accountId, entries, caller);
  }

  @Post('batch/remove')
  @HttpCode(200)
  @NeedsRole('admin')
  removeAll(
    @CurrentCaller() caller: Caller,
    @RequestBody() entries: RemoveSuppressionsDto,
  ): Promise<RemovedSuppressionsDto> {
    return this.suppressions.removeAll(caller.accountId, entries, caller);
  }

  @Post('undo')
  @HttpCode(200)
  @NeedsRole('admin')
  undo(@CurrentCaller() caller: Caller, @RequestBody() undo: UndoSuppressionsDto): Promise<UndoneSuppressionsDto> {
    return this.suppressions.undo(caller.accountId, undo, caller);
  }

  @Get()
  @NeedsRole('viewer')
  list(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: ListSuppressionsQueryDto,
  ): Promise<SuppressionListDto> {
    return this.suppressions.list(accountId, query);
  }

  @Get('export')
  @NeedsRole('support')
  export(@CurrentCaller() { accountId }: Caller, @RequestContext() context: RequestContext): Promise<void> {
    const open = () => this.suppressions.export(accountId);
    return sendCsv({ name: 'suppressions.csv', accountId, open }, context);
  }

  @Get(':idOrEmail')
  @NeedsRole('viewer')
  async find(
    @CurrentCaller() { accountId }: Caller,
    @PathText('idOrEmail') idOrEmail: string,
  ): Promise<SuppressionDto> {
    return (await this.suppressions.find(accountId, idOrEmail)) ?? refuseUnknown();
  }

  @Delete(':idOrEmail')
  @NeedsRole('admin')
  async remove(
    @CurrentCaller() caller: Caller,
    @PathText('idOrEmail') idOrEmail: string,
  ): Promise<RemovedSuppressionDto> {
    const id = (await this.suppressions.remove(caller.accountId, idOrEmail, caller)) ?? refuseUnknown();
    return { object: 'suppression', id, deleted: true };
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('Suppression not found');
}
