import type { IncomingMessage } from 'node:http';
import { All, Body, Controller, Delete, Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ApiError, type Caller, JsonBodyInterceptor, type ListEnvelope, readPageQuery } from 'nestjs-emails';
import { BodyPipe } from '../../shared/http/body.pipe.js';
import { FullAccess } from '../auth/full-access.decorator.js';
import { KeyLookupService } from '../auth/key-lookup.service.js';
import { CurrentCaller } from '../callers/current-caller.decorator.js';
import { type ApiKeyRecord, ApiKeysService, type NewApiKey } from './api-keys.service.js';
import { CreateApiKeyDto } from './create-api-key.dto.js';

/** `/api-keys` (contract, section 5). */
@FullAccess()
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly lookup: KeyLookupService,
  ) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  create(
    @CurrentCaller() { accountId }: Caller,
    @Body(BodyPipe) { name, permission = 'full_access' }: CreateApiKeyDto,
  ): Promise<NewApiKey> {
    return this.apiKeys.create(accountId, { name, permission });
  }

  @Get()
  list(@CurrentCaller() { accountId }: Caller, @Req() request: IncomingMessage): Promise<ListEnvelope<ApiKeyRecord>> {
    return this.apiKeys.list(accountId, readPageQuery(request.url ?? ''));
  }

  @Delete(':id')
  async revoke(@CurrentCaller() { accountId }: Caller, @Param('id') id: string) {
    if (!isUUID(id) || !(await this.apiKeys.revoke(accountId, id))) {
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
