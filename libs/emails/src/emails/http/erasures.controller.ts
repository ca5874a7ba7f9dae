import { Controller, Get, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { CurrentCaller, PathId, RequestBody } from '../../shared/routes/parameters.js';
import { CreateErasureDto } from '../change/create-erasure.dto.js';
import type { ErasureDto } from '../change/erasure.dto.js';
import { ErasuresService } from '../change/erasures.service.js';

/** `/erasures`, which Resend's API does not have. */
@Controller('erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() erasure: CreateErasureDto): Promise<ErasureDto> {
    return this.erasures.create(caller.accountId, erasure, caller);
  }

  @Get(':id')
  @NeedsRole('admin')
  async find(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<ErasureDto> {
    const erasure = await this.erasures.find(accountId, id);
    if (!erasure) throw ApiError.notFound('Erasure not found');
    return erasure;
  }
}
