import type { IncomingMessage } from 'node:http';
import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  ApiKeysService,
  type ApiKeyValues,
  type NewApiKey,
} from './api-keys.service.js';

/** `/api-keys` (contract, section 5). */
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody<ApiKeyValues>): Promise<NewApiKey> {
    return this.apiKeys.create(accountOf(request), request.body);
  }

  @Get()
  list(request: IncomingMessage): Promise<ListEnvelope<ApiKeyRecord>> {
    return this.apiKeys.list(accountOf(request), pageQuery(request.url ?? ''));
  }

  @Patch(':id')
  @ReadsJson()
  async rename(request: RequestWithBody<ApiKeyChanges>) {
    const id = pathId(request);
    const key = await this.apiKeys.rename(accountOf(request), id, request.body);
    return { object: 'api_key', id: key?.id ?? refuseUnknown() };
  }

  @Delete(':id')
  async revoke(request: IncomingMessage) {
    const id = pathId(request);
    if (!(await this.apiKeys.revoke(accountOf(request), id))) refuseUnknown();
    return { object: 'api_key', id: id.toLowerCase(), deleted: true };
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no API key with this id.');
}
