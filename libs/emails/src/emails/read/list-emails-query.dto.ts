import { IsOptional } from 'class-validator';
import { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { splitAtCommas } from '../../shared/http/query.js';
import { AreWords } from '../../shared/validation/are-words.js';
import { Field } from '../../shared/validation/field.js';
import { IsUuid } from '../../shared/validation/rules.js';
import { EMAIL_STATES } from '../states/email-states.js';
import {
  AreTagFilters,
  IsAddressFilter,
  IsMessageIdFilter,
  IsSearch,
  IsSummary,
  IsTimeFilter,
  IsTransportFilter,
} from './filter-rules.js';

const STATES = Object.keys(EMAIL_STATES);

/** Filters of `GET /emails` (contract, section 3). Default: all emails. */
export class ListEmailsQueryDto extends PageQueryDto {
  @Field({
    keepsEmpty: true,
    listsOne: true,
    reads: splitAtCommas,
    description: 'In one of these states; with commas between them, or repeated.',
  })
  @IsOptional()
  @AreWords(STATES, `must be one or more of ${STATES.join(', ')}, with commas between them`)
  last_event?: string | readonly string[] | undefined;

  @Field({ keepsEmpty: true, description: 'An address in `to`, `cc` or `bcc`, compared without case.' })
  @IsOptional()
  @IsAddressFilter()
  to?: string | undefined;

  @Field({ keepsEmpty: true, description: 'The same, in `cc` alone.' })
  @IsOptional()
  @IsAddressFilter()
  cc?: string | undefined;

  @Field({ keepsEmpty: true, description: 'The same, in `bcc` alone.' })
  @IsOptional()
  @IsAddressFilter()
  bcc?: string | undefined;

  @Field({ keepsEmpty: true, description: 'An address, or `@domain`.' })
  @IsOptional()
  @IsAddressFilter(true)
  from?: string | undefined;

  @Field({
    keepsEmpty: true,
    listsOne: true,
    reads: eachOnce,
    description: '`name` or `name:value`. Repeated: all of them.',
  })
  @IsOptional()
  @AreTagFilters()
  tag?: string | readonly string[] | undefined;

  @Field({ keepsEmpty: true, description: 'The topic.' })
  @IsOptional()
  @IsUuid('must be a UUID')
  topic_id?: string | undefined;

  @Field({
    keepsEmpty: true,
    description:
      'The name of a transport, as events have it: emails with an attempt by it. Found are those of a time when there ' +
      'were several.',
  })
  @IsOptional()
  @IsTransportFilter()
  transport?: string | undefined;

  @Field({ keepsEmpty: true, description: 'The `Message-ID`, as the list shows it.' })
  @IsOptional()
  @IsMessageIdFilter()
  message_id?: string | undefined;

  @Field({ keepsEmpty: true, description: 'Created then or later. A date is its midnight in UTC.' })
  @IsOptional()
  @IsTimeFilter()
  start_date?: string | undefined;

  @Field({ keepsEmpty: true, description: 'Created before.' })
  @IsOptional()
  @IsTimeFilter()
  end_date?: string | undefined;

  @Field({
    keepsEmpty: true,
    description:
      'Words, compared without case and accents. Each must be a whole word of the subject, or of a name or address in ' +
      '`from`, `to`, `cc` or `bcc`: `jane` finds `jane.doe@example.com`, `jan` does not.',
  })
  @IsOptional()
  @IsSearch()
  search?: string | undefined;

  @Field({ keepsEmpty: true, description: '`summary`: `html` and `text` are null. Default: all fields.' })
  @IsOptional()
  @IsSummary()
  fields?: 'summary' | undefined;
}

function eachOnce(given: unknown): unknown {
  return Array.isArray(given) ? [...new Set(given)] : given;
}
