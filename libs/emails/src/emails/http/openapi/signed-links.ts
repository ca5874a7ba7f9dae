import {
  body,
  json,
  nullable,
  type OpenApiFeature,
  type OpenApiPart,
  record,
  response,
  schema,
} from '../../../shared/openapi/components.js';
import { listing, operation, uuid } from '../../../shared/openapi/operations.js';

const TAG = 'Emails';
const WHICH = { id: 'The id of an email.' };
const BYTES = { schema: { type: 'string', format: 'binary' } };

const fields: OpenApiPart = {
  id: uuid,
  filename: nullable('string'),
  size: { type: 'integer', description: 'Bytes, before base64.' },
  content_type: { type: 'string', examples: ['application/pdf'] },
  content_disposition: { enum: ['inline', 'attachment'] },
  content_id: nullable('string'),
  download_url: { type: 'string', format: 'uri', description: 'Needs no key.' },
  expires_at: { type: 'string', format: 'date-time', description: 'When `download_url` ends.' },
};

const noLink = '`id` is no UUID, the query is wrong, or this server can make no links. The message says which.';
const file = (description: string, headers: OpenApiPart = {}): OpenApiPart => ({
  description,
  headers,
  content: { '*/*': BYTES },
});
const length = { required: true, schema: { type: 'string' } };

const open = {
  operationId: 'openLink',
  summary: 'Download an attachment, or read a shared email',
  description: 'Whoever has the link needs no key.',
  tags: ['Links'],
  security: [],
  parameters: [
    ...['kid', 'token'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    { name: 'Range', in: 'header', description: 'One range of bytes of a file.', schema: { type: 'string' } },
  ],
  responses: {
    200: file('The file, to be saved; or the page.', { 'content-length': length }),
    206: file('A part of the file.', { 'content-range': length, 'content-length': length }),
    400: response('Malformed'),
    403: json(
      'The link is not valid, has expired, or leads to nothing any more.',
      record({ statusCode: { const: 403 }, name: { const: 'invalid_access' }, message: { type: 'string' } }),
    ),
    416: json(
      'The range does not begin within the file.',
      record({ statusCode: { const: 416 }, name: { const: 'validation_error' }, message: { type: 'string' } }),
      { 'content-range': length },
    ),
    500: response('Bug'),
    503: response('Unavailable'),
  },
};

const shareRequest = {
  type: 'object',
  properties: {
    expires_in: {
      type: ['string', 'null'],
      description: 'A duration. Default and longest: 48 hours.',
      examples: ['10m', '2 hours', '1 day'],
    },
  },
  additionalProperties: false,
};

const share = operation({
  id: 'shareEmail',
  summary: 'Make a link that shows an email to anybody',
  tag: TAG,
  path: WHICH,
  requestBody: shareRequest,
  success: { 200: record({ object: { const: 'email' }, id: uuid, url: { type: 'string', format: 'uri' } }) },
});

/** Of attachments of sent emails, shared emails, and the links to both. */
export const linksOpenApi: OpenApiFeature = {
  paths: {
    '/emails/{id}/attachments': {
      get: {
        ...listing(
          { id: 'listAttachments', summary: 'List the attachments of an email', tag: TAG, path: WHICH, all: true },
          schema('Attachment'),
        ),
        description: `422: ${noLink}`,
      },
    },
    '/emails/{id}/attachments/{attachment_id}': {
      get: operation({
        id: 'getAttachment',
        summary: 'An attachment of an email',
        tag: TAG,
        path: { ...WHICH, attachment_id: 'The id of an attachment.' },
        success: { 200: record({ object: { const: 'attachment' }, ...fields }) },
      }),
    },
    '/emails/{id}/share': { post: { ...share, requestBody: { ...body(shareRequest), required: false } } },
    '/files/{kid}/{token}': {
      get: open,
      head: { ...open, operationId: 'checkLink', summary: 'The headers of what a link leads to' },
    },
  },
  schemas: { Attachment: record(fields) },
};
