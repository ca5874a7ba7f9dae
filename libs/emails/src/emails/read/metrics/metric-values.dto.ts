import { IsOptional } from 'class-validator';
import type { Dto } from '../../../shared/validation/dto-fields.js';
import { AnswerField } from '../../../shared/validation/field.js';
import { METRICS, type MetricValues } from './metrics.js';

const COUNT = { type: 'integer', minimum: 0 };
const RATE = { type: 'number', minimum: 0, description: 'Percent.' };

class Values {}

/** Metrics by their names: those that were asked for. */
export class MetricValuesDto extends (Values as Dto<MetricValues>) {}

for (const name of METRICS) {
  IsOptional()(MetricValuesDto.prototype, name);
  AnswerField({ schema: name.endsWith('_rate') ? RATE : COUNT })(MetricValuesDto.prototype, name);
}
