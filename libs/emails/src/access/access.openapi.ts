import { ALL, WholeListQueryDto } from '../shared/http/page-query.dto.js';
import { type OpenApiFeature, record, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation, uuid } from '../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../shared/validation/dto-schema.js';
import { ApiKeyDto } from './api-keys/api-key.dto.js';
import { CreateApiKeyDto } from './api-keys/create-api-key.dto.js';
import { NewApiKeyDto } from './api-keys/new-api-key.dto.js';
import { UpdateApiKeyDto } from './api-keys/update-api-key.dto.js';

const tag = 'API keys';
const changed = record({ object: { const: 'api_key' }, id: uuid });
const path = { id: 'The id of an API key.' };

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const accessOpenApi: OpenApiFeature = {
  schemas: { ApiKey: answerSchema(ApiKeyDto) },
  paths: {
    '/api-keys': {
      post: operation({
        id: 'createApiKey',
        summary: 'Create an API key; its token is shown this once',
        tag,
        requestBody: requestSchema(CreateApiKeyDto),
        success: { 201: answerSchema(NewApiKeyDto) },
      }),
      get: listing(
        { id: 'listApiKeys', summary: 'List API keys', tag, query: WholeListQueryDto, max: ALL },
        schema('ApiKey'),
      ),
    },
    '/api-keys/{id}': {
      patch: operation({
        id: 'renameApiKey',
        summary: 'Give an API key another name',
        tag,
        path,
        requestBody: requestSchema(UpdateApiKeyDto),
        success: { 200: changed },
      }),
      delete: operation({
        id: 'revokeApiKey',
        summary: 'Revoke an API key, at once',
        tag,
        path,
        success: { 200: deleted('api_key') },
      }),
    },
  },
};
