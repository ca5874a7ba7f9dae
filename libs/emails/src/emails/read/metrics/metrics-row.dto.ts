import { IsOptional } from 'class-validator';
import { text, uuid } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';
import { MetricValuesDto } from './metric-values.dto.js';

/** Counts for one value of each requested dimension; the other dimensions are absent. */
export class MetricsRowDto extends MetricValuesDto {
  @AnswerField({
    schema: text,
    description: 'The first day of the period; of an hour, when it begins.',
    examples: ['2026-07-01', '2026-07-01T13:00:00+02:00'],
  })
  @IsOptional()
  period?: string;

  @AnswerField({
    schema: { type: ['string', 'null'], format: 'uuid' },
    description: 'Null: the account has no such domain.',
  })
  @IsOptional()
  domain_id?: string | null;

  @AnswerField({ schema: text, description: 'Of `from`, in A-labels.' })
  @IsOptional()
  domain_name?: string;

  @AnswerField({ schema: uuid })
  @IsOptional()
  email_id?: string;

  @AnswerField({ schema: uuid })
  @IsOptional()
  broadcast_id?: string;

  @AnswerField({ schema: text })
  @IsOptional()
  broadcast_name?: string;
}
