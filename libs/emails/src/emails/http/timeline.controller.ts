import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { CurrentCaller, PathId, RequestQuery } from '../../shared/routes/parameters.js';
import type { EmailEventListDto } from '../read/timeline/email-event-list.dto.js';
import type { EmailRecipientListDto } from '../read/timeline/email-recipient-list.dto.js';
import { toEventsRequest } from '../read/timeline/events-request.js';
import { ListEventsQueryDto } from '../read/timeline/list-events-query.dto.js';
import { TimelineService } from '../read/timeline/timeline.service.js';

/** Events of one email. */
@Controller('emails/:id')
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  @Get('events')
  @NeedsRole('viewer')
  async events(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @RequestQuery() query: ListEventsQueryDto,
  ): Promise<EmailEventListDto> {
    return found(await this.timeline.events(accountId, id, toEventsRequest(query)));
  }

  @Get('recipients')
  @NeedsRole('viewer')
  async recipients(@CurrentCaller() { accountId }: Caller, @PathId() id: string): Promise<EmailRecipientListDto> {
    return found(await this.timeline.recipients(accountId, id));
  }
}

function found<T>(answer: T | undefined): T {
  if (answer === undefined) throw ApiError.notFound('Email not found');
  return answer;
}
