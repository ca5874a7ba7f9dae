import type { IncomingMessage } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { ALL, pageQuery, toPageRequest } from '../../shared/http/page-query.js';
import type { ListEnvelope } from '../../shared/rows/page.js';

/** `GET /domains` where there are none (contract, section 5): Resend's CLI asks for them to check a key. */
@Controller('domains')
export class NoDomainsController {
  @Get()
  list(request: IncomingMessage): ListEnvelope<never> {
    const { cursor } = toPageRequest(pageQuery(request.url ?? ''), ALL);
    if (cursor) {
      const name = cursor.direction === 'newer' ? 'before' : 'after';
      throw ApiError.invalid(`\`${name}\` must be the id of an object in this list.`);
    }
    return { object: 'list', has_more: false, data: [] };
  }
}
