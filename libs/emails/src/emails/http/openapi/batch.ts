import {
  body,
  bodyRefusals,
  callerRefusals,
  json,
  type OpenApiPart,
  response,
  schema,
} from '../../../shared/openapi/components.js';
import { answerSchema } from '../../../shared/validation/dto-schema.js';
import { BatchDto } from '../../send/batch/batch.dto.js';
import { idempotencyKey, replayed } from './idempotency.js';

const sendBatch = {
  operationId: 'sendBatch',
  summary: 'Send up to 100 emails',
  description:
    'After a 200, those in `data` are committed, all together. No order of delivery is promised. `path`s of attachments: ' +
    'up to 20 different ones, each fetched once.',
  tags: ['Emails'],
  parameters: [
    idempotencyKey,
    {
      name: 'x-batch-validation',
      in: 'header',
      description: '`strict`: one invalid email refuses all. `permissive`: the others are accepted.',
      schema: { enum: ['strict', 'permissive'], default: 'strict' },
    },
  ],
  requestBody: body({ type: 'array', items: schema('EmailRequest'), minItems: 1, maxItems: 100 }),
  responses: {
    200: json(
      'Committed. A strict batch has no `errors`, and `data` in the order of the request.',
      answerSchema(BatchDto),
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
