import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { CurrentCaller, PathId, RequestBody, RequestQuery } from '../../shared/routes/parameters.js';
import type { ApiKeyListDto } from './api-key-list.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { CreateApiKeyDto } from './create-api-key.dto.js';
import type { NewApiKeyDto } from './new-api-key.dto.js';
import { UpdateApiKeyDto } from './update-api-key.dto.js';

/** `/api-keys` (contract, section 5). */
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() key: CreateApiKeyDto): Promise<NewApiKeyDto> {
    return this.apiKeys.create(caller.accountId, key, { caller });
  }

  @Get()
  @NeedsRole('admin')
  list(@CurrentCaller() { accountId }: Caller, @RequestQuery() page: WholeListQueryDto): Promise<ApiKeyListDto> {
    return this.apiKeys.list(accountId, page);
  }

  @Patch(':id')
  @NeedsRole('admin')
  async rename(@CurrentCaller() caller: Caller, @PathId() id: string, @RequestBody() changes: UpdateApiKeyDto) {
    const key = await this.apiKeys.rename(caller.accountId, id, changes, caller);
    return { object: 'api_key', id: key?.id ?? refuseUnknown() };
  }

  @Delete(':id')
  @NeedsRole('admin')
  async revoke(@CurrentCaller() caller: Caller, @PathId() id: string) {
    if (!(await this.apiKeys.revoke(caller.accountId, id, caller))) refuseUnknown();
    return { object: 'api_key', id: id.toLowerCase(), deleted: true };
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no API key with this id.');
}
