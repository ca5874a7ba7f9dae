import { json, type OpenApiFeature, record, response } from '../../shared/openapi/components.js';
import { SUBSCRIPTIONS } from '../topics/subscription.js';

const path = [
  {
    name: 'token',
    in: 'path',
    required: true,
    description: 'The proof: encrypted account, topic and address.',
    schema: { type: 'string', minLength: 1 },
  },
];

const html = (description: string) => ({ description, content: { 'text/html': { schema: { type: 'string' } } } });

const form = {
  oneOf: [
    {
      type: 'object',
      required: ['List-Unsubscribe'],
      properties: { 'List-Unsubscribe': { const: 'One-Click' } },
      description: 'RFC 8058: opts out of the topic of the email. The answer is empty.',
    },
    {
      type: 'object',
      required: ['topic'],
      properties: {
        topic: { type: 'string', format: 'uuid' },
        choice: { enum: SUBSCRIPTIONS, default: 'opt_out' },
      },
    },
    {
      type: 'object',
      required: ['all'],
      properties: { all: { const: '1' } },
      description: 'Opts out of everything.',
    },
  ],
};

const notAForm = record({
  statusCode: { const: 415 },
  name: { const: 'validation_error' },
  message: { type: 'string' },
});

const common = {
  404: html('Not a link of this server.'),
  405: response('MethodNotAllowed'),
  429: response('RateLimited'),
  500: response('Bug'),
  503: response('Unavailable'),
};

const get = {
  operationId: 'showChoices',
  summary: 'The page of choices of a recipient',
  description: 'Changes nothing.',
  tags: ['Contacts'],
  security: [],
  parameters: path,
  responses: { 200: html('The page.'), ...common },
};

/** The links' part of an OpenAPI 3.1 document. */
export const unsubscribeOpenApi: OpenApiFeature = {
  paths: {
    '/unsubscribe/{token}': {
      get,
      head: { ...get, operationId: 'checkChoices', summary: 'The headers of the page' },
      post: {
        operationId: 'unsubscribe',
        summary: 'Unsubscribe by one click, or change choices',
        tags: ['Contacts'],
        security: [],
        parameters: path,
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: form }, 'multipart/form-data': { schema: form } },
        },
        responses: {
          200: {
            description: 'Done: empty after one click, else the page.',
            content: { 'text/html': { schema: { type: 'string' } } },
          },
          400: response('Malformed'),
          413: response('TooLarge'),
          415: json('The body is no form, or compressed.', notAForm),
          422: response('Invalid'),
          ...common,
        },
      },
    },
  },
  schemas: {},
};
