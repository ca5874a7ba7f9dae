import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { CurrentCaller, PathId, RequestBody, RequestQuery } from '../../shared/routes/parameters.js';
import { CreateTopicDto } from './create-topic.dto.js';
import type { TopicDto } from './topic.dto.js';
import type { TopicListDto } from './topic-list.dto.js';
import { TopicsService } from './topics.service.js';
import { UpdateTopicDto } from './update-topic.dto.js';

/** `/topics` (contract, section 5). */
@Controller('topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post()
  @NeedsRole('admin')
  create(@CurrentCaller() caller: Caller, @RequestBody() topic: CreateTopicDto): Promise<TopicDto> {
    return this.topics.create(caller.accountId, topic, caller);
  }

  @Get()
  @NeedsRole('viewer')
  list(@CurrentCaller() { accountId }: Caller, @RequestQuery() page: PageQueryDto): Promise<TopicListDto> {
    return this.topics.list(accountId, page);
  }

  @Get(':id')
  @NeedsRole('viewer')
  async find(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<TopicDto> {
    return (await this.topics.find(accountId, id)) ?? refuseUnknown();
  }

  @Patch(':id')
  @NeedsRole('admin')
  async update(
    @CurrentCaller() caller: Caller,
    @PathId() id: string,
    @RequestBody() changes: UpdateTopicDto,
  ): Promise<TopicDto> {
    return (await this.topics.update(caller.accountId, id, changes, caller)) ?? refuseUnknown();
  }

  @Delete(':id')
  @NeedsRole('admin')
  async remove(@CurrentCaller() caller: Caller, @PathId() id: string) {
    const removed = await this.topics.remove(caller.accountId, id, caller);
    return { object: 'topic', id: removed ?? refuseUnknown(), deleted: true };
  }
}

function refuseUnknown(): never {
  throw ApiError.notFound('There is no topic with this id.');
}
