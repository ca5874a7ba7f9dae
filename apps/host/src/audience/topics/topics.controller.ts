import type { IncomingMessage } from 'node:http';
import { All, Body, Controller, Delete, Get, Param, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiError, type Caller, JsonBodyInterceptor, type ListEnvelope, readPageQuery } from 'nestjs-emails';
import { FullAccess } from '../../access/auth/full-access.decorator.js';
import { CurrentCaller } from '../../access/callers/current-caller.decorator.js';
import { BodyPipe } from '../../shared/http/body.pipe.js';
import { PatchPipe } from '../../shared/http/patch.pipe.js';
import { CreateTopicDto } from './create-topic.dto.js';
import { type TopicRecord, TopicsService } from './topics.service.js';
import { UpdateTopicDto } from './update-topic.dto.js';

/** `/topics` (contract, section 5). */
@FullAccess()
@Controller('topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post()
  @UseInterceptors(JsonBodyInterceptor)
  create(
    @CurrentCaller() { accountId }: Caller,
    @Body(BodyPipe) { name, description = null, default_subscription }: CreateTopicDto,
  ): Promise<TopicRecord> {
    return this.topics.create(accountId, { name, description, default_subscription });
  }

  @Get()
  list(@CurrentCaller() { accountId }: Caller, @Req() request: IncomingMessage): Promise<ListEnvelope<TopicRecord>> {
    return this.topics.list(accountId, readPageQuery(request.url ?? ''));
  }

  @Get(':id')
  async find(@CurrentCaller() { accountId }: Caller, @Param('id') id: string): Promise<TopicRecord> {
    return (await this.topics.find(accountId, id)) ?? refuseUnknown();
  }

  @Patch(':id')
  @UseInterceptors(JsonBodyInterceptor)
  async update(
    @CurrentCaller() { accountId }: Caller,
    @Param('id') id: string,
    @Body(PatchPipe) { id: named, name, description }: UpdateTopicDto,
  ): Promise<TopicRecord> {
    if (named && named.toLowerCase() !== id.toLowerCase()) {
      throw ApiError.invalid('`id` must be the id in the path, or absent.');
    }
    return (await this.topics.update(accountId, id, { name: name ?? undefined, description })) ?? refuseUnknown();
  }

  @Delete(':id')
  async remove(@CurrentCaller() { accountId }: Caller, @Param('id') id: string) {
    const removed = await this.topics.remove(accountId, id);
    return { object: 'topic', id: removed ?? refuseUnknown(), deleted: true };
  }

  @All()
  otherOnList(): never {
    throw ApiError.methodNotAllowed(['GET', 'POST']);
  }

  @All(':id')
  otherOnTopic(): never {
    throw ApiError.methodNotAllowed(['GET', 'PATCH', 'DELETE']);
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no topic with this id.');
}
