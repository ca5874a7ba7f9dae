import type { IncomingMessage } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { pageQuery } from '../../shared/http/page-query.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { queryOf, repeated, single } from '../../shared/http/query.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import type { EmailEventRecord } from '../read/timeline/event-record.js';
import { toEventsRequest } from '../read/timeline/events-query.js';
import type { EmailRecipientRecord } from '../read/timeline/recipient-record.js';
import { TimelineService } from '../read/timeline/timeline.service.js';

/** What happened to one email. */
@Controller('emails/:id')
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  @Get('events')
  async events(request: IncomingMessage): Promise<ListEnvelope<EmailEventRecord>> {
    const id = pathId(request);
    const url = request.url ?? '';
    const { limit, after } = pageQuery(url, { before: 'pages of newer events' });
    const query = queryOf(url);
    const asked = toEventsRequest({
      limit,
      after,
      type: repeated(query, 'type'),
      recipient: single(query, 'recipient'),
    });
    return found(await this.timeline.events(accountOf(request), id, asked));
  }

  @Get('recipients')
  async recipients(request: IncomingMessage): Promise<ListEnvelope<EmailRecipientRecord>> {
    return found(await this.timeline.recipients(accountOf(request), pathId(request)));
  }
}

function found<T>(answer: T | undefined): T {
  if (answer === undefined) throw ApiError.notFound('Email not found');
  return answer;
}
