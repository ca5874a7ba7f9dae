import { Controller, Get } from '@nestjs/common';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { ALL, WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { RequestQuery } from '../../shared/routes/parameters.js';
import type { ListEnvelope } from '../../shared/rows/page.js';

/** `GET /domains` without any domains (contract, section 5): Resend's CLI requests it to check a key. */
@Controller('domains')
export class NoDomainsController {
  @Get()
  @NeedsRole('viewer')
  list(@RequestQuery() page: WholeListQueryDto): ListEnvelope<never> {
    const { cursor } = toPageRequest(page, ALL);
    if (cursor) {
      const name = cursor.direction === 'newer' ? 'before' : 'after';
      throw ApiError.invalid(`\`${name}\` must be the id of an object in this list.`);
    }
    return { object: 'list', has_more: false, data: [] };
  }
}
