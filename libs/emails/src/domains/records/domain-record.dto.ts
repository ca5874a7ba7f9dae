import { IsOptional } from 'class-validator';
import { constant, text, timestamp, timestampOrNull, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { RECORD_STATUSES, type RecordStatus } from '../storage/domain-status.js';
import { ADVICE_CODES, type AdviceCode } from './advice.js';
import type { RecordLabel } from './wanted-record.js';

/** A record to publish in DNS. */
export class DomainRecordDto {
  @AnswerField({
    schema: words(['SPF', 'DKIM', 'DMARC']),
    description: '`DMARC` is recommended only. The challenge of a relay that signs is `DKIM`.',
  })
  record!: RecordLabel;

  @AnswerField({ schema: text, description: 'Within the domain: `send` means `send.example.com`.' })
  name!: string;

  @AnswerField({ schema: words(['MX', 'TXT']) })
  type!: 'MX' | 'TXT';

  @AnswerField({ schema: constant('Auto') })
  ttl!: 'Auto';

  @AnswerField({ schema: words(RECORD_STATUSES) })
  status!: RecordStatus;

  @AnswerField({ schema: text, description: 'Without quotes.' })
  value!: string;

  @AnswerField({ schema: { type: 'integer' }, description: 'Of an MX record.' })
  @IsOptional()
  priority?: number;
}

/** A fault of a record, or a way to improve it. */
export class RecordAdviceDto {
  @AnswerField({ schema: words(ADVICE_CODES) })
  code!: AdviceCode;

  @AnswerField({ schema: text, description: 'One or two English sentences. They may quote the DNS of the domain.' })
  text!: string;
}

/** Times of a DKIM key. */
export class KeyTimesDto {
  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({
    schema: timestampOrNull,
    description: 'When its record was found for the first time: it signs since then.',
  })
  verified_at!: string | null;

  @AnswerField({ schema: timestampOrNull, description: 'When a newer key took its place. It is deleted 7 days later.' })
  retired_at!: string | null;
}

/** A record with what is there. */
export class AdvisedRecordDto extends DomainRecordDto {
  @AnswerField({
    schema: { type: ['array', 'null'], items: text },
    description: 'Values in DNS at the last check, up to 5, shortened; null before the first.',
  })
  found!: string[] | null;

  @AnswerField({ each: RecordAdviceDto })
  advice!: RecordAdviceDto[];

  @AnswerField({ type: KeyTimesDto, description: 'Of a DKIM key.' })
  @IsOptional()
  key?: KeyTimesDto;
}
