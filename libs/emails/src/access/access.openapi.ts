import { type OpenApiFeature, record, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation, repeated, timestampOrNull, uuid } from '../shared/openapi/operations.js';

const tag = 'API keys';
const name = { type: 'string', minLength: 1, maxLength: 50 };

const apiKey = record({
  id: uuid,
  name: { type: 'string' },
  created_at: schema('Timestamp'),
  last_used_at: timestampOrNull,
});

const create = {
  type: 'object',
  properties: {
    name,
    permission: { enum: ['full_access', 'sending_access'], default: 'full_access' },
    domain_id: { type: ['string', 'null'], maxLength: 0, description: 'Empty, or absent.' },
  },
  required: ['name'],
  additionalProperties: false,
};

const rename = {
  type: 'object',
  properties: { name, id: repeated, api_key_id: repeated },
  additionalProperties: false,
};

const object = { const: 'api_key' };
const path = { id: 'The id of an API key.' };

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const accessOpenApi: OpenApiFeature = {
  schemas: { ApiKey: apiKey },
  paths: {
    '/api-keys': {
      post: operation({
        id: 'createApiKey',
        summary: 'Create an API key; its token is shown this once',
        tag,
        requestBody: create,
        success: { 201: record({ object, id: uuid, token: { type: 'string', pattern: '^re_' } }) },
      }),
      get: listing({ id: 'listApiKeys', summary: 'List API keys', tag, all: true }, schema('ApiKey')),
    },
    '/api-keys/{id}': {
      patch: operation({
        id: 'renameApiKey',
        summary: 'Give an API key another name',
        tag,
        path,
        requestBody: rename,
        success: { 200: record({ object, id: uuid }) },
      }),
      delete: operation({
        id: 'revokeApiKey',
        summary: 'Revoke an API key, at once',
        tag,
        path,
        success: { 200: deleted('api_key') },
      }),
    },
    '/domains': {
      get: listing({ id: 'listDomains', summary: 'List domains: there are none', tag: 'Domains', all: true }, {}),
    },
  },
};
