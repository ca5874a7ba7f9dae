import type { IncomingMessage } from 'node:http';
import { Controller, Get, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import { type ErasureRecord, ErasuresService } from '../change/erasures.service.js';

/** `/erasures`, which Resend's API has not. */
@Controller('erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody): Promise<ErasureRecord> {
    return this.erasures.create(accountOf(request), request.body);
  }

  @Get(':id')
  async find(request: IncomingMessage): Promise<ErasureRecord> {
    const erasure = await this.erasures.find(accountOf(request), pathId(request));
    if (!erasure) throw ApiError.notFound('Erasure not found');
    return erasure;
  }
}
