import type { IncomingMessage } from 'node:http';
import { All, Controller, Delete, Get, Post, Req, UseInterceptors } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonBodyInterceptor, type RequestWithBody } from '../../shared/http/json-body.interceptor.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { type ApiKeyRecord, ApiKeysService, type ApiKeyValues, type NewApiKey } from './api-keys.service.js';

/** `/api-keys` (contract, section 5). */
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  create(@Req() request: RequestWithBody<ApiKeyValues>): Promise<NewApiKey> {
    return this.apiKeys.create(accountOf(request), request.body);
  }

  @Get()
  list(@Req() request: IncomingMessage): Promise<ListEnvelope<ApiKeyRecord>> {
    return this.apiKeys.list(accountOf(request), pageQuery(request.url ?? ''));
  }

  @Delete(':id')
  async revoke(@Req() request: IncomingMessage) {
    const id = pathParameter(request, 'id');
    if (!(await this.apiKeys.revoke(accountOf(request), id))) {
      throw ApiError.notFound('There is no API key with this id.');
    }
    return { object: 'api_key', id: id.toLowerCase(), deleted: true };
  }

  @All()
  otherOnList(): never {
    throw ApiError.methodNotAllowed(['GET', 'POST']);
  }

  @All(':id')
  otherOnKey(): never {
    throw ApiError.methodNotAllowed(['DELETE']);
  }
}
