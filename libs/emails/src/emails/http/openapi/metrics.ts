import { callerRefusals, json, type OpenApiPart, response, schema } from '../../../shared/openapi/components.js';
import { answerSchema, queryParameters } from '../../../shared/validation/dto-schema.js';
import { EmailMetricsDto } from '../../read/metrics/email-metrics.dto.js';
import { MetricsQueryDto } from '../../read/metrics/metrics-query.dto.js';

/** Outcomes of emails, in numbers. */
export const metricsPaths: Readonly<Record<string, OpenApiPart>> = {
  '/emails/metrics': {
    get: {
      operationId: 'getEmailMetrics',
      summary: 'Count the outcomes of emails',
      description: 'Recipients are counted, by the time of the event, in quarters of an hour.',
      tags: ['Emails'],
      parameters: queryParameters(MetricsQueryDto),
      responses: {
        200: json('Done.', schema('EmailMetrics')),
        ...callerRefusals,
        422: response('Invalid'),
      },
    },
  },
};

export const metricsSchemas = { EmailMetrics: answerSchema(EmailMetricsDto) };
