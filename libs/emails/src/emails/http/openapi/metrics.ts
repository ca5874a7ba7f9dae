import { callerRefusals, json, type OpenApiPart, response, schema } from '../../../shared/openapi/components.js';
import { uuid } from '../../../shared/openapi/operations.js';
import { METRICS } from '../../read/metrics/metrics.js';
import { DIMENSIONS, GRANULARITIES } from '../../read/metrics/metrics-query.js';

const TIME = { type: 'string', format: 'date-time' };

const values = Object.fromEntries(
  METRICS.map((name) => [
    name,
    name.endsWith('_rate') ? { type: 'number', minimum: 0, description: 'Percent.' } : { type: 'integer', minimum: 0 },
  ]),
);
const totals = { type: 'object', properties: values, additionalProperties: false };

const row = {
  type: 'object',
  properties: {
    period: {
      type: 'string',
      description: 'The first day of the period; of an hour, when it begins.',
      examples: ['2026-07-01', '2026-07-01T13:00:00+02:00'],
    },
    domain_id: { type: ['string', 'null'], format: 'uuid', description: 'Null: the account has no such domain.' },
    domain_name: { type: 'string', description: 'Of `from`, in A-labels.' },
    email_id: uuid,
    broadcast_id: uuid,
    broadcast_name: { type: 'string' },
    ...values,
  },
  additionalProperties: false,
};

const parameter = (name: string, description: string, of: OpenApiPart): OpenApiPart => ({
  name,
  in: 'query',
  description,
  schema: of,
});
const list = (name: string, description: string, items: OpenApiPart, more: OpenApiPart = {}): OpenApiPart => ({
  ...parameter(name, `${description} With commas between them, or repeated.`, { type: 'array', items, ...more }),
  explode: false,
});
const ids = (name: string, of: string): OpenApiPart => list(name, `Only of these ${of}.`, uuid, { maxItems: 100 });
const instant = { type: 'string', examples: ['2026-07-01', '2026-07-01T00:00:00Z'] };

/** How much became of what was sent. */
export const metricsPaths: Readonly<Record<string, OpenApiPart>> = {
  '/emails/metrics': {
    get: {
      operationId: 'getEmailMetrics',
      summary: 'Count what became of emails',
      description: 'Recipients are counted, by the time of the event, in quarters of an hour.',
      tags: ['Emails'],
      parameters: [
        parameter('start_date', 'ISO 8601 date (midnight UTC) or time. Default: six days before `end_date`.', instant),
        parameter('end_date', 'The same, exclusive; at most now. Default: now.', instant),
        parameter('timezone', 'IANA name of the zone by which periods begin.', { type: 'string', default: 'UTC' }),
        parameter('granularity', 'How long periods are: 10,000 of them at most.', {
          enum: GRANULARITIES,
          default: 'daily',
        }),
        list('metrics', 'Default: all.', { enum: METRICS }),
        list('dimensions', 'What to break it down by. Default: totals alone.', { enum: DIMENSIONS }),
        ids('domain_id', 'domains'),
        ids('email_id', 'emails'),
        ids('broadcast_id', 'broadcasts'),
      ],
      responses: {
        200: json('Done.', schema('EmailMetrics')),
        ...callerRefusals,
        422: response('Invalid'),
      },
    },
  },
};

export const metricsSchemas = {
  EmailMetrics: {
    type: 'object',
    properties: {
      object: { const: 'metrics' },
      start_date: TIME,
      end_date: TIME,
      metrics: { type: 'array', items: { enum: METRICS } },
      dimensions: { type: 'array', items: { enum: DIMENSIONS } },
      granularity: { enum: GRANULARITIES },
      totals,
      data: { type: 'array', items: row, maxItems: 10_000, description: 'Absent without `dimensions`.' },
    },
    required: ['object', 'start_date', 'end_date', 'metrics', 'dimensions', 'granularity', 'totals'],
    additionalProperties: false,
  },
};
