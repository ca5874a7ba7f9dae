import { type OpenApiFeature, type OpenApiPart, record, schema } from '../../../shared/openapi/components.js';
import { operation, repeated, uuid } from '../../../shared/openapi/operations.js';

const path = { id: 'The id of an email.' };
const tag = 'Emails';
const changed = record({ object: { const: 'email' }, id: uuid });

/** Its answer is no JSON, as those of all others are. */
const source = operation({
  id: 'getEmailSource',
  summary: 'An email as the message that is sent, to be saved; 422 also when its content is not kept any more',
  tag,
  path,
  success: {},
  refusals: {
    200: {
      description: 'RFC 5322. Who is in bcc is in no message.',
      headers: { 'content-disposition': { required: true, schema: { type: 'string' } } },
      content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } },
    },
  },
});

const tags = {
  type: 'array',
  items: record({ name: { type: 'string' }, value: { type: 'string' } }),
};

const rescheduling = {
  type: 'object',
  properties: {
    scheduled_at: {
      type: 'string',
      description: 'As on `POST /emails`; in the past: at once.',
      examples: ['2026-11-21T05:26:01Z', 'in 10 minutes', 'Friday at 3pm EST'],
    },
    id: repeated,
    email_id: repeated,
  },
  required: ['scheduled_at'],
  additionalProperties: false,
};

/**
 * One email.
 *
 * @param listed the fields of an email in a list
 */
export function emailPart(listed: OpenApiPart): OpenApiFeature {
  return {
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
          requestBody: rescheduling,
          success: { 200: changed },
        }),
      },
      '/emails/{id}/source': { get: source },
      '/emails/{id}/cancel': {
        post: operation({
          id: 'cancelEmail',
          summary: 'Cancel an email that is scheduled, or delayed and sent to nobody yet',
          tag,
          path,
          success: { 200: changed },
        }),
      },
      '/emails/{id}/retry': {
        post: operation({
          id: 'retryEmail',
          summary: 'Try a delayed email again now',
          tag,
          path,
          success: { 200: changed },
        }),
      },
    },
    schemas: {
      EmailDetails: withOccasional(record({ ...listed, tags, topic_id: { oneOf: [uuid, { type: 'null' }] } })),
    },
  };
}

/** `resent_from`: of an email that is another one sent again. `no_content`: of one without html, text and attachments. */
function withOccasional(details: OpenApiPart): OpenApiPart {
  const occasional = { resent_from: uuid, no_content: { const: true } };
  return { ...details, properties: { ...(details.properties as OpenApiPart), ...occasional } };
}
