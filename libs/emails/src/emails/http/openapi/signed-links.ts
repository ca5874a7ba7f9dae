import { ALL, WholeListQueryDto } from '../../../shared/http/page-query.dto.js';
import {
  body,
  json,
  type OpenApiFeature,
  type OpenApiPart,
  record,
  response,
  schema,
} from '../../../shared/openapi/components.js';
import { listing, operation } from '../../../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../../../shared/validation/dto-schema.js';
import { SentAttachmentDto } from '../../read/sent-attachment.dto.js';
import { ShareEmailDto } from '../../read/share-email.dto.js';
import { SharedEmailDto } from '../../read/shared-email.dto.js';
import { SingleAttachmentDto } from '../../read/single-attachment.dto.js';

const TAG = 'Emails';
const WHICH = { id: 'The id of an email.' };
const BYTES = { schema: { type: 'string', format: 'binary' } };

const noLink = '`id` is not a UUID, the query is invalid, or this server cannot make links. The message says which.';
const file = (description: string, headers: OpenApiPart = {}): OpenApiPart => ({
  description,
  headers,
  content: { '*/*': BYTES },
});
const length = { required: true, schema: { type: 'string' } };

const open = {
  operationId: 'openLink',
  summary: 'Download an attachment, or read a shared email',
  description: 'The link needs no key.',
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
      'The link is not valid, has expired, or its target was deleted.',
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

const share = operation({
  id: 'shareEmail',
  summary: 'Make a link that shows an email to everyone who has it',
  tag: TAG,
  path: WHICH,
  requestBody: requestSchema(ShareEmailDto),
  success: { 200: answerSchema(SharedEmailDto) },
});

/** Operations on attachments of sent emails, on shared emails, and on the links to both. */
export const linksOpenApi: OpenApiFeature = {
  paths: {
    '/emails/{id}/attachments': {
      get: {
        ...listing(
          {
            id: 'listAttachments',
            summary: 'List the attachments of an email',
            tag: TAG,
            path: WHICH,
            query: WholeListQueryDto,
            max: ALL,
          },
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
        success: { 200: answerSchema(SingleAttachmentDto) },
      }),
    },
    '/emails/{id}/share': {
      post: { ...share, requestBody: { ...body(requestSchema(ShareEmailDto)), required: false } },
    },
    '/files/{kid}/{token}': {
      get: open,
      head: { ...open, operationId: 'checkLink', summary: 'The headers of the target of a link' },
    },
  },
  schemas: { Attachment: answerSchema(SentAttachmentDto) },
};
