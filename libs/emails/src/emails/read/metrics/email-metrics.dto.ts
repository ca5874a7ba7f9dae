import { IsOptional } from 'class-validator';
import { constant, isoTime, words } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';
import { MetricValuesDto } from './metric-values.dto.js';
import {
  type EmailMetric,
  METRICS,
  METRICS_DIMENSIONS,
  METRICS_GRANULARITIES,
  type MetricsDimension,
  type MetricsGranularity,
} from './metrics.js';
import { MetricsRowDto } from './metrics-row.dto.js';

/** Rows of an answer. Each takes half a kilobyte. */
export const MAX_ROWS = 10_000;

/** The answer of `GET /emails/metrics` (contract, section 3.5). */
export class EmailMetricsDto {
  @AnswerField({ schema: constant('metrics') })
  object!: 'metrics';

  @AnswerField({
    schema: isoTime,
    description: 'Of what was counted: the quarter of an hour in which `start_date` lies.',
  })
  start_date!: string;

  @AnswerField({ schema: isoTime })
  end_date!: string;

  @AnswerField({ schema: { type: 'array', items: words(METRICS) } })
  metrics!: readonly EmailMetric[];

  @AnswerField({ schema: { type: 'array', items: words(METRICS_DIMENSIONS) } })
  dimensions!: readonly MetricsDimension[];

  @AnswerField({ schema: words(METRICS_GRANULARITIES) })
  granularity!: MetricsGranularity;

  @AnswerField({ type: MetricValuesDto })
  totals!: MetricValuesDto;

  @AnswerField({ each: MetricsRowDto, max: MAX_ROWS, description: 'Absent without `dimensions`.' })
  @IsOptional()
  data?: MetricsRowDto[];
}
