import {
  body,
  bodyRefusals,
  callerRefusals,
  json,
  type OpenApiPart,
  record,
  response,
  schema,
} from '../../../shared/openapi/components.js';
import { idempotencyKey, replayed } from './idempotency.js';

const ids = { type: 'array', items: record({ id: { type: 'string', format: 'uuid' } }), maxItems: 100 };
const refused = record({
  index: { type: 'integer', minimum: 0, description: 'The place of the email in the request.' },
  message: { type: 'string' },
});

const sendBatch = {
  operationId: 'sendBatch',
  summary: 'Send up to 100 emails',
  description:
    'Answered 200, those in `data` are committed, all together. No order of delivery is promised. `path`s of attachments: ' +
    'up to 20 different ones, each fetched once.',
  tags: ['Emails'],
  parameters: [
    idempotencyKey,
    {
      name: 'x-batch-validation',
      in: 'header',
      description: '`strict`: one email that is wrong refuses all. `permissive`: the others are accepted.',
      schema: { enum: ['strict', 'permissive'], default: 'strict' },
    },
  ],
  requestBody: body({ type: 'array', items: schema('EmailRequest'), minItems: 1, maxItems: 100 }),
  responses: {
    200: json(
      'Committed. A strict batch has no `errors`, and `data` in the order of the request.',
      {
        type: 'object',
        properties: { data: ids, errors: { type: 'array', items: refused } },
        required: ['data'],
        additionalProperties: false,
      },
      replayed,
    ),
    ...callerRefusals,
    ...bodyRefusals,
    400: response('MalformedEmail'),
    409: response('IdempotencyConflict'),
    422: response('InvalidEmail'),
  },
};

export const batchPaths: Readonly<Record<string, OpenApiPart>> = { '/emails/batch': { post: sendBatch } };
