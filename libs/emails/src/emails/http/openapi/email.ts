import { type OpenApiFeature, schema } from '../../../shared/openapi/components.js';
import { operation } from '../../../shared/openapi/operations.js';
import { answerSchema, queryParameters, requestSchema } from '../../../shared/validation/dto-schema.js';
import { ChangedEmailDto } from '../../change/changed-email.dto.js';
import { UpdateEmailDto } from '../../change/update-email.dto.js';
import { EmailDetailsDto } from '../../read/email-details.dto.js';
import { SourceQueryDto } from '../../read/source/source-query.dto.js';

const path = { id: 'The id of an email.' };
const tag = 'Emails';
/** Its answer is not JSON, unlike all others. */
const source = operation({
  id: 'getEmailSource',
  summary: 'An email as the message that is sent, to be saved; 422 also when its content is no longer kept',
  tag,
  path,
  query: queryParameters(SourceQueryDto),
  success: {},
  refusals: {
    200: {
      description: 'RFC 5322. The message never names a bcc recipient.',
      headers: { 'content-disposition': { required: true, schema: { type: 'string' } } },
      content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } },
    },
  },
});

/** One email. */
export const emailPart: OpenApiFeature = {
  paths: {
    '/emails/{id}': {
      get: operation({
        id: 'getEmail',
        summary: 'Retrieve an email',
        tag,
        path,
        success: { 200: schema('EmailDetails') },
      }),
      patch: operation({
        id: 'updateEmail',
        summary: 'Reschedule an email that is scheduled',
        tag,
        path,
        requestBody: requestSchema(UpdateEmailDto),
        success: { 200: answerSchema(ChangedEmailDto) },
      }),
    },
    '/emails/{id}/source': { get: source },
    '/emails/{id}/cancel': {
      post: operation({
        id: 'cancelEmail',
        summary: 'Cancel an email that is scheduled, or delayed and not sent to any recipient yet',
        tag,
        path,
        success: { 200: answerSchema(ChangedEmailDto) },
      }),
    },
    '/emails/{id}/retry': {
      post: operation({
        id: 'retryEmail',
        summary: 'Try a delayed email again now',
        tag,
        path,
        success: { 200: answerSchema(ChangedEmailDto) },
      }),
    },
  },
  schemas: { EmailDetails: answerSchema(EmailDetailsDto) },
};
