import { bodyRefusals, callerRefusals, json, type OpenApiPart, response } from '../../../shared/openapi/components.js';
import { answerSchema, requestSchema } from '../../../shared/validation/dto-schema.js';
import { ResendEmailDto } from '../../send/resend/resend-email.dto.js';
import { SentEmailDto } from '../../send/sent-email.dto.js';
import { idempotencyKey, replayed } from './idempotency.js';

const UUID = { type: 'string', format: 'uuid' };

const resend = {
  operationId: 'resendEmail',
  summary: 'Send an email again, as a new one',
  description: 'With the same content, to the recipients that the email has not reached, or to those named.',
  tags: ['Emails'],
  parameters: [{ name: 'id', in: 'path', required: true, schema: UUID }, idempotencyKey],
  requestBody: { required: false, content: { 'application/json': { schema: requestSchema(ResendEmailDto) } } },
  responses: {
    200: json('The new email is committed.', answerSchema(SentEmailDto), replayed),
    ...callerRefusals,
    ...bodyRefusals,
    400: response('MalformedEmail'),
    404: response('NotFound'),
    409: response('IdempotencyConflict'),
  },
};

export const resendPaths: Readonly<Record<string, OpenApiPart>> = { '/emails/{id}/resend': { post: resend } };
