import type { IncomingMessage } from 'node:http';
import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { type NewTopic, type TopicChanges, type TopicRecord, TopicsService } from './topics.service.js';

/** `/topics` (contract, section 5). */
@Controller('topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post()
  @ReadsJson()
  create(request: RequestWithBody<NewTopic>): Promise<TopicRecord> {
    return this.topics.create(accountOf(request), request.body);
  }

  @Get()
  list(request: IncomingMessage): Promise<ListEnvelope<TopicRecord>> {
    return this.topics.list(accountOf(request), pageQuery(request.url ?? ''));
  }

  @Get(':id')
  async find(request: IncomingMessage): Promise<TopicRecord> {
    const id = pathId(request);
    return (await this.topics.find(accountOf(request), id)) ?? refuseUnknown();
  }

  @Patch(':id')
  @ReadsJson()
  async update(request: RequestWithBody<TopicChanges>): Promise<TopicRecord> {
    const id = pathId(request);
    return (await this.topics.update(accountOf(request), id, request.body)) ?? refuseUnknown();
  }

  @Delete(':id')
  async remove(request: IncomingMessage) {
    const id = pathId(request);
    const removed = await this.topics.remove(accountOf(request), id);
    return { object: 'topic', id: removed ?? refuseUnknown(), deleted: true };
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no topic with this id.');
}
