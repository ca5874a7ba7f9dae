import type { IncomingMessage } from 'node:http';
import { All, Controller, Delete, Get, Post, Req, UseInterceptors } from '@nestjs/common';
import { validate as isUUID } from 'uuid';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonBodyInterceptor, type RequestWithBody } from '../../shared/http/json-body.interceptor.js';
import { readPageQuery } from '../../shared/http/page-query.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { KeyLookupService } from '../auth/key-lookup.service.js';
import { newApiKey } from './api-key.fields.js';
import { type ApiKeyRecord, ApiKeysService, type NewApiKey } from './api-keys.service.js';

/** `/api-keys` (contract, section 5). */
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly lookup: KeyLookupService,
  ) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  async create(@Req() request: RequestWithBody): Promise<NewApiKey> {
    const { name, permission = 'full_access' } = newApiKey.read(request.body);
    return this.apiKeys.create(accountOf(request), { name, permission });
  }

  @Get()
  list(@Req() request: IncomingMessage): Promise<ListEnvelope<ApiKeyRecord>> {
    return this.apiKeys.list(accountOf(request), readPageQuery(request.url ?? ''));
  }

  @Delete(':id')
  async revoke(@Req() request: IncomingMessage) {
    const id = pathParameter(request, 'id');
    if (!isUUID(id) || !(await this.apiKeys.revoke(accountOf(request), id))) {
      throw ApiError.notFound('There is no API key with this id.');
    }
    this.lookup.forgetAll();
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
