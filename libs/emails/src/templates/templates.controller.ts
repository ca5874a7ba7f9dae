import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Caller } from '../shared/callers/caller.js';
import { NeedsRole, seesContents } from '../shared/callers/page-role.js';
import { ApiError } from '../shared/errors/api-error.js';
import { resourceLists } from '../shared/http/large-answers.js';
import { PageQueryDto } from '../shared/http/page-query.dto.js';
import { CurrentCaller, PathText, RequestBody, RequestContext, RequestQuery } from '../shared/routes/parameters.js';
import { MAX_WEIGHT } from '../shared/rows/keyset-page.js';
import { CreateTemplateDto } from './create-template.dto.js';
import { NoFieldsDto } from './no-fields.dto.js';
import type { TemplateListDto } from './template-list.dto.js';
import type { TemplateRecordDto } from './template-record.dto.js';
import { TemplatesService } from './templates.service.js';
import { UpdateTemplateDto } from './update-template.dto.js';

/** `/templates` (contract, section 5). */
@Controller('templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() template: CreateTemplateDto): Promise<TemplateRecordDto> {
    return this.templates.create(caller.accountId, template, caller);
  }

  @Get()
  @NeedsRole('viewer')
  async list(
    @CurrentCaller() caller: Caller,
    @RequestQuery() page: PageQueryDto,
    @RequestContext() context: RequestContext,
  ): Promise<TemplateListDto> {
    await context.makeRoom(resourceLists, MAX_WEIGHT);
    const list = await this.templates.list(caller.accountId, page);
    return { ...list, data: list.data.map((template) => shownTo(caller, template)) };
  }

  @Get(':idOrAlias')
  @NeedsRole('viewer')
  async find(@CurrentCaller() caller: Caller, @PathText('idOrAlias') idOrAlias: string): Promise<TemplateRecordDto> {
    return shownTo(caller, (await this.templates.find(caller.accountId, idOrAlias)) ?? refuseUnknown());
  }

  @Patch(':idOrAlias')
  @NeedsRole('admin')
  async update(
    @CurrentCaller() caller: Caller,
    @PathText('idOrAlias') idOrAlias: string,
    @RequestBody() changes: UpdateTemplateDto,
  ): Promise<TemplateRecordDto> {
    return (await this.templates.update(caller.accountId, idOrAlias, changes, caller)) ?? refuseUnknown();
  }

  @Delete(':idOrAlias')
  @NeedsRole('admin')
  async remove(@CurrentCaller() caller: Caller, @PathText('idOrAlias') idOrAlias: string) {
    const removed = await this.templates.remove(caller.accountId, idOrAlias, caller);
    return { object: 'template', id: removed ?? refuseUnknown(), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @HttpCode(200)
  @NeedsRole('admin')
  async publish(
    @CurrentCaller() caller: Caller,
    @PathText('idOrAlias') idOrAlias: string,
    @RequestBody({ isOptional: true }) _: NoFieldsDto,
  ): Promise<TemplateRecordDto> {
    return (await this.templates.publish(caller.accountId, idOrAlias, caller)) ?? refuseUnknown();
  }

  @Post(':idOrAlias/duplicate')
  @HttpCode(200)
  @NeedsRole('admin')
  async duplicate(
    @CurrentCaller() caller: Caller,
    @PathText('idOrAlias') idOrAlias: string,
    @RequestBody({ isOptional: true }) _: NoFieldsDto,
  ): Promise<TemplateRecordDto> {
    return (await this.templates.duplicate(caller.accountId, idOrAlias, caller)) ?? refuseUnknown();
  }
}

/** Fallback values are content too. */
function shownTo(caller: Caller, template: TemplateRecordDto): TemplateRecordDto {
  return seesContents(caller) ? template : { ...template, html: null, text: null, variables: [] };
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no template with this id or alias.');
}
