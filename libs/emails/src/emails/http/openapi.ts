import {
  body,
  bodyRefusals,
  callerRefusals,
  components,
  json,
  listOf,
  nullable,
  type OpenApiPart,
  pageQuery,
  record,
  response,
  schema,
} from '../../shared/openapi/components.js';
import { EMAIL_STATES } from '../states/email-states.js';
import { batchPaths } from './openapi/batch.js';
import { filterQuery } from './openapi/filters.js';
import { idempotencyKey, replayed } from './openapi/idempotency.js';
import { resendPaths } from './openapi/resend.js';

const UUID = { type: 'string', format: 'uuid' };
const MAILBOX_LIST = { type: 'array', items: schema('Mailbox') };

const OTHER_SPELLING = { type: 'string', deprecated: true };
const TAG_NAME = '^[A-Za-z0-9_-]{1,256}$';
const tagValue = { type: ['string', 'null'], pattern: '^[A-Za-z0-9_-]{0,256}$' };

const attachment = {
  type: 'object',
  description: 'Exactly one of `content` and `path`.',
  properties: {
    content: {
      description: 'Base64; or byte values, as SDKs send them.',
      oneOf: [
        { type: 'string', contentEncoding: 'base64' },
        { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
        {
          type: 'object',
          properties: { type: { const: 'Buffer' }, data: { type: 'array', items: { type: 'integer' } } },
          required: ['type', 'data'],
        },
      ],
    },
    path: { type: 'string', format: 'uri', description: 'Fetched when the request is accepted.' },
    filename: { type: 'string', maxLength: 255 },
    content_type: { type: 'string', examples: ['application/pdf', 'text/calendar; method=REQUEST'] },
    contentType: { ...OTHER_SPELLING, description: 'The same as `content_type`.' },
    content_id: { type: 'string', description: 'Makes it inline, for `cid:` in html.', examples: ['logo'] },
    contentId: { ...OTHER_SPELLING, description: 'The same as `content_id`.' },
    inline_content_id: { ...OTHER_SPELLING, description: 'The same as `content_id`.' },
    inlineContentId: { ...OTHER_SPELLING, description: 'The same as `content_id`.' },
  },
  additionalProperties: false,
};

const emailRequest = {
  type: 'object',
  description: 'What is `""`, `null` or `[]` counts as absent, but for an empty `text`.',
  properties: {
    from: { ...schema('Mailbox'), description: 'Required, here or by the template.' },
    to: schema('Mailboxes'),
    cc: schema('Mailboxes'),
    bcc: schema('Mailboxes'),
    reply_to: schema('Mailboxes'),
    subject: { type: 'string', maxLength: 998, description: 'Required, here or by the template.' },
    html: { type: 'string' },
    text: { type: 'string', description: 'Absent: derived from `html`. Empty: no text part.' },
    template: {
      type: 'object',
      description: 'A published template, in place of `html` and `text`.',
      properties: {
        id: { type: 'string', description: 'Its id or alias.' },
        variables: { type: 'object', additionalProperties: { type: ['string', 'number'] }, maxProperties: 50 },
      },
      required: ['id'],
      additionalProperties: false,
    },
    headers: {
      type: 'object',
      additionalProperties: { type: ['string', 'number'], maxLength: 998 },
      maxProperties: 100,
    },
    scheduled_at: {
      type: 'string',
      description: 'ISO 8601, or English, in UTC unless a zone is named; in the past: at once.',
      examples: ['2026-11-21T05:26:01Z', 'in 10 minutes', 'Friday at 3pm EST'],
    },
    attachments: { type: 'array', items: attachment },
    tags: {
      description: 'A value that is absent is empty.',
      oneOf: [
        {
          type: 'array',
          maxItems: 75,
          items: {
            type: 'object',
            properties: { name: { type: 'string', pattern: TAG_NAME }, value: tagValue },
            required: ['name'],
            additionalProperties: false,
          },
        },
        { type: 'object', maxProperties: 75, propertyNames: { pattern: TAG_NAME }, additionalProperties: tagValue },
      ],
    },
    topic_id: UUID,
  },
  required: ['to'],
  additionalProperties: false,
};

const email = record({
  object: { const: 'email' },
  id: UUID,
  message_id: { type: 'string', pattern: '^<[^<>]+>$', description: 'The same on every attempt.' },
  to: MAILBOX_LIST,
  from: schema('Mailbox'),
  created_at: schema('Timestamp'),
  subject: { type: 'string' },
  html: nullable('string'),
  text: nullable('string'),
  bcc: MAILBOX_LIST,
  cc: MAILBOX_LIST,
  reply_to: MAILBOX_LIST,
  last_event: { enum: Object.keys(EMAIL_STATES) },
  scheduled_at: { oneOf: [schema('Timestamp'), { type: 'null' }] },
});

const send = {
  operationId: 'sendEmail',
  summary: 'Send an email',
  description: 'Answered 200, it is committed: it is delivered, or ends in an event that says why not.',
  tags: ['Emails'],
  parameters: [idempotencyKey],
  requestBody: body(schema('EmailRequest')),
  responses: {
    200: json('Committed.', record({ id: UUID }), replayed),
    ...callerRefusals,
    ...bodyRefusals,
    400: response('MalformedEmail'),
    409: response('IdempotencyConflict'),
    422: response('InvalidEmail'),
  },
};

const list = {
  operationId: 'listEmails',
  summary: 'List emails, newest first',
  description: 'Those for which every filter holds. `after` and `before` may be any email, whether it is shown or not.',
  tags: ['Emails'],
  parameters: [...pageQuery, ...filterQuery],
  responses: {
    200: json('A page. It may hold fewer than `limit` when they are large.', listOf(schema('Email'))),
    ...callerRefusals,
    422: response('Invalid'),
  },
};

/**
 * The library's part of an OpenAPI 3.1 document, for the host to serve: `paths`, and `components` that the host's own
 * operations may refer to as well. Servers, info and security are the host's to say.
 */
export const emailsOpenApi: {
  paths: Readonly<Record<string, OpenApiPart>>;
  components: Readonly<Record<string, OpenApiPart>>;
} = {
  paths: { '/emails': { post: send, get: list }, ...batchPaths, ...resendPaths },
  components: { ...components, schemas: { ...components.schemas, EmailRequest: emailRequest, Email: email } },
};
