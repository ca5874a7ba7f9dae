import {
  bodyRefusals,
  callerRefusals,
  json,
  type OpenApiPart,
  record,
  response,
  schema,
} from '../../../shared/openapi/components.js';
import { idempotencyKey, replayed } from './idempotency.js';

const UUID = { type: 'string', format: 'uuid' };

const request = {
  type: 'object',
  properties: {
    recipients: {
      oneOf: [schema('Mailbox'), { type: 'array', items: schema('Mailbox'), maxItems: 150 }],
      description: 'Recipients of the email. Absent: those who have bounced or failed.',
    },
    scheduled_at: { type: 'string', description: 'As of a new email.' },
  },
  additionalProperties: false,
};

const resend = {
  operationId: 'resendEmail',
  summary: 'Send an email again, as a new one',
  description: 'With the same content, to those whom the email has not reached, or to those who are named.',
  tags: ['Emails'],
  parameters: [{ name: 'id', in: 'path', required: true, schema: UUID }, idempotencyKey],
  requestBody: { required: false, content: { 'application/json': { schema: request } } },
  responses: {
    200: json('The new email is committed.', record({ id: UUID }), replayed),
    ...callerRefusals,
    ...bodyRefusals,
    400: response('MalformedEmail'),
    404: response('NotFound'),
    409: response('IdempotencyConflict'),
  },
};

export const resendPaths: Readonly<Record<string, OpenApiPart>> = { '/emails/{id}/resend': { post: resend } };
