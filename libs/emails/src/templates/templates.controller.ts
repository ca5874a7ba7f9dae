import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { accountOf } from '../shared/callers/caller.js';
import { ApiError } from '../shared/errors/api-error.js';
import { resourceLists } from '../shared/http/large-answers.js';
import { pageQuery } from '../shared/http/page-query.js';
import { pathParameter } from '../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../shared/http/reads-json.js';
import { MAX_WEIGHT } from '../shared/rows/keyset-page.js';
import type { ListEnvelope } from '../shared/rows/page.js';
import { noFields } from './template.fields.js';
import type { TemplateRecord } from './template-record.js';
import { type NewTemplate, type TemplateFields, TemplatesService } from './templates.service.js';

/** `/templates` (contract, section 5). */
@Controller('templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody<NewTemplate>): Promise<TemplateRecord> {
    return this.templates.create(accountOf(request), request.body);
  }

  @Get()
  async list(request: IncomingMessage, response: ServerResponse): Promise<ListEnvelope<TemplateRecord>> {
    const accountId = accountOf(request);
    const page = pageQuery(request.url ?? '');
    await resourceLists.makeRoom(MAX_WEIGHT, accountId, response);
    return this.templates.list(accountId, page);
  }

  @Get(':idOrAlias')
  async find(request: IncomingMessage): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    return (await this.templates.find(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }

  @Patch(':idOrAlias')
  @ReadsJson()
  async update(request: RequestWithBody<TemplateFields>): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    return (await this.templates.update(accountOf(request), idOrAlias, request.body)) ?? refuseUnknown();
  }

  @Delete(':idOrAlias')
  async remove(request: IncomingMessage) {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    const removed = await this.templates.remove(accountOf(request), idOrAlias);
    return { object: 'template', id: removed ?? refuseUnknown(), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @HttpCode(200)
  @ReadsJson({ isOptional: true })
  async publish(request: RequestWithBody): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    noFields.read(request.body);
    return (await this.templates.publish(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }

  @Post(':idOrAlias/duplicate')
  @HttpCode(200)
  @ReadsJson({ isOptional: true })
  async duplicate(request: RequestWithBody): Promise<TemplateRecord> {
    const idOrAlias = pathParameter(request, 'idOrAlias');
    noFields.read(request.body);
    return (await this.templates.duplicate(accountOf(request), idOrAlias)) ?? refuseUnknown();
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no template with this id or alias.');
}
