import type { IncomingMessage } from 'node:http';
import { All, Controller, Delete, Get, HttpCode, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { accountOf } from '../shared/callers/caller.js';
import { ApiError } from '../shared/errors/api-error.js';
import { JsonBodyInterceptor, type RequestWithBody } from '../shared/http/json-body.interceptor.js';
import { OptionalBodyInterceptor } from '../shared/http/optional-body.interceptor.js';
import { pageQuery } from '../shared/http/page-query.js';
import { pathParameter } from '../shared/http/path-parameter.js';
import type { ListEnvelope } from '../shared/rows/page.js';
import { noFields } from './template.fields.js';
import type { TemplateRecord } from './template-record.js';
import { type NewTemplate, type TemplateFields, TemplatesService } from './templates.service.js';

/** `/templates` (contract, section 5). */
@Controller('templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  create(@Req() request: RequestWithBody<NewTemplate>): Promise<TemplateRecord> {
    return this.templates.create(accountOf(request), request.body);
  }

  @Get()
  list(@Req() request: IncomingMessage): Promise<ListEnvelope<TemplateRecord>> {
    return this.templates.list(accountOf(request), pageQuery(request.url ?? ''));
  }

  @Get(':idOrAlias')
  async find(@Req() request: IncomingMessage): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    return (await this.templates.find(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }

  @Patch(':idOrAlias')
  @UseInterceptors(JsonBodyInterceptor)
  async update(@Req() request: RequestWithBody<TemplateFields>): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    return (await this.templates.update(accountOf(request), idOrAlias, request.body)) ?? refuseUnknown();
  }

  @Delete(':idOrAlias')
  async remove(@Req() request: IncomingMessage) {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    const removed = await this.templates.remove(accountOf(request), idOrAlias);
    return { object: 'template', id: removed ?? refuseUnknown(), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @HttpCode(200)
  @UseInterceptors(OptionalBodyInterceptor)
  async publish(@Req() request: RequestWithBody): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    noFields.read(request.body);
    return (await this.templates.publish(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }

  @Post(':idOrAlias/duplicate')
  @HttpCode(200)
  @UseInterceptors(OptionalBodyInterceptor)
  async duplicate(@Req() request: RequestWithBody): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    noFields.read(request.body);
    return (await this.templates.duplicate(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }

  @All()
  otherOnList(): never {
    throw ApiError.methodNotAllowed(['GET', 'POST']);
  }

  @All(':idOrAlias')
  otherOnTemplate(): never {
    throw ApiError.methodNotAllowed(['GET', 'PATCH', 'DELETE']);
  }

  @All([':idOrAlias/publish', ':idOrAlias/duplicate'])
  otherOnAction(): never {
    throw ApiError.methodNotAllowed(['POST']);
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no template with this id or alias.');
}
