import { openApi } from 'nestjs-emails';

const { json, record, response } = openApi;

/** Needs no key. */
const open = { tags: ['Health'], security: [], parameters: [] };

const finding = { type: 'string', description: '`ok`, or the reason why not.' };

const readiness = {
  type: 'object',
  properties: {
    status: { enum: ['ok', 'degraded'] },
    checks: {
      type: 'object',
      properties: { database: finding, queue: finding, transport: finding },
      // Several transports have a check each.
      patternProperties: { '^transport [1-9]\\d?$': finding },
      required: ['database', 'queue'],
      additionalProperties: false,
    },
    staging: {
      type: 'array',
      items: { enum: ['only_to', 'redirect_all_to'] },
      description: 'The options of the staging switch that are on; absent while it is off.',
    },
    paused: {
      type: 'array',
      items: { enum: ['everything', 'accounts', 'topics', 'templates', 'transports'] },
      description: 'The kinds of mail that are paused; absent while none is.',
    },
  },
  required: ['status', 'checks'],
  additionalProperties: false,
};

export const healthOpenApi = {
  paths: {
    '/health/live': {
      get: {
        ...open,
        operationId: 'live',
        summary: 'The process runs',
        responses: { 200: json('It does.', record({ status: { const: 'ok' } })) },
      },
    },
    '/health/ready': {
      get: {
        ...open,
        operationId: 'ready',
        summary: 'The process can do its work',
        responses: {
          200: json('It can; `degraded`: something else will be late.', readiness),
          503: response('Unavailable'),
        },
      },
    },
  },
};
