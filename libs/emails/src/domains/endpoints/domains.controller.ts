import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { CurrentCaller, PathId, RequestBody, RequestQuery } from '../../shared/routes/parameters.js';
import type { ChangedDomainDto } from './changed-domain.dto.js';
import { CreateDomainDto } from './create-domain.dto.js';
import type { DomainDto } from './domain.dto.js';
import type { DomainListDto } from './domain-list.dto.js';
import { DomainsService } from './domains.service.js';
import type { NewDomainDto } from './new-domain.dto.js';
import { UpdateDomainDto } from './update-domain.dto.js';

/** `/domains` (contract, section 10). */
@Controller('domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() domain: CreateDomainDto): Promise<NewDomainDto> {
    return this.domains.create(caller.accountId, domain, caller);
  }

  @Get()
  @NeedsRole('viewer')
  list(@CurrentCaller() { accountId }: Caller, @RequestQuery() page: WholeListQueryDto): Promise<DomainListDto> {
    return this.domains.list(accountId, page);
  }

  @Get(':id')
  @NeedsRole('viewer')
  async find(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<DomainDto> {
    return (await this.domains.find(accountId, id)) ?? refuseUnknown();
  }

  @Patch(':id')
  @NeedsRole('admin')
  async update(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody() changes: UpdateDomainDto,
  ): Promise<ChangedDomainDto> {
    return (await this.domains.update(caller.accountId, id, changes, caller)) ?? refuseUnknown();
  }

  @Delete(':id')
  @NeedsRole('admin')
  async remove(@CurrentCaller() caller: Caller, @PathId() id: string) {
    const removed = await this.domains.remove(caller.accountId, id, caller);
    return { object: 'domain', id: removed ?? refuseUnknown(), deleted: true };
  }

  @Post(':id/verify')
  @HttpCode(200)
  @NeedsRole('admin')
  async verify(@CurrentCaller() caller: Caller, @PathId() id: string): Promise<ChangedDomainDto> {
    return (await this.domains.verify(caller.accountId, id, caller)) ?? refuseUnknown();
  }

  @Post(':id/dkim/rotate')
  @HttpCode(200)
  @NeedsRole('admin')
  async rotate(@CurrentCaller() caller: Caller, @PathId() id: string): Promise<ChangedDomainDto> {
    return (await this.domains.rotate(caller.accountId, id, caller)) ?? refuseUnknown();
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('Domain not found');
}
