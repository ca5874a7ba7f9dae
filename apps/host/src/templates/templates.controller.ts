import type { IncomingMessage } from 'node:http';
import { All, Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiError, type Caller, JsonBodyInterceptor, type ListEnvelope, readPageQuery } from 'nestjs-emails';
import { FullAccess } from '../access/auth/full-access.decorator.js';
import { CurrentCaller } from '../access/callers/current-caller.decorator.js';
import { BodyPipe } from '../shared/http/body.pipe.js';
import { CreateTemplateDto } from './create-template.dto.js';
import { NoFieldsDto } from './no-fields.dto.js';
import { OptionalBodyInterceptor } from './optional-body.interceptor.js';
import { TemplatePipe } from './template.pipe.js';
import { type TemplateRecord, TemplatesService } from './templates.service.js';
import { UpdateTemplateDto } from './update-template.dto.js';

/** `/templates` (contract, section 5). */
@FullAccess()
@Controller('templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  create(
    @CurrentCaller() { accountId }: Caller,
    @Body(TemplatePipe) fields: CreateTemplateDto,
  ): Promise<TemplateRecord> {
    return this.templates.create(accountId, fields);
  }

  @Get()
  list(@CurrentCaller() { accountId }: Caller, @Req() request: IncomingMessage): Promise<ListEnvelope<TemplateRecord>> {
    return this.templates.list(accountId, readPageQuery(request.url ?? ''));
  }

  @Get(':idOrAlias')
  async find(@CurrentCaller() { accountId }: Caller, @Param('idOrAlias') idOrAlias: string): Promise<TemplateRecord> {
    return (await this.templates.find(accountId, idOrAlias)) ?? refuseUnknown();
  }

  @Patch(':idOrAlias')
  @UseInterceptors(JsonBodyInterceptor)
  async update(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrAlias') idOrAlias: string,
    @Body(TemplatePipe) fields: UpdateTemplateDto,
  ): Promise<TemplateRecord> {
    return (await this.templates.update(accountId, idOrAlias, fields)) ?? refuseUnknown();
  }

  @Delete(':idOrAlias')
  async remove(@CurrentCaller() { accountId }: Caller, @Param('idOrAlias') idOrAlias: string) {
    const removed = await this.templates.remove(accountId, idOrAlias);
    return { object: 'template', id: removed ?? refuseUnknown(), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @HttpCode(200)
  @UseInterceptors(OptionalBodyInterceptor)
  async publish(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrAlias') idOrAlias: string,
    @Body(BodyPipe) _body: NoFieldsDto,
  ): Promise<TemplateRecord> {
    return (await this.templates.publish(accountId, idOrAlias)) ?? refuseUnknown();
  }

  @Post(':idOrAlias/duplicate')
  @UseInterceptors(OptionalBodyInterceptor)
  async duplicate(
    @CurrentCaller() { accountId }: Caller,
    @Param('idOrAlias') idOrAlias: string,
    @Body(BodyPipe) _body: NoFieldsDto,
  ): Promise<TemplateRecord> {
    return (await this.templates.duplicate(accountId, idOrAlias)) ?? refuseUnknown();
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
