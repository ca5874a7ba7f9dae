import type { OpenApiPart } from '../../../shared/openapi/components.js';
import { record, schema } from '../../../shared/openapi/components.js';
import { operation, uuid } from '../../../shared/openapi/operations.js';

const tag = 'Erasures';

export const erasureSchemas: Readonly<Record<string, OpenApiPart>> = {
  Erasure: record({ object: { const: 'erasure' }, id: uuid, status: { enum: ['running', 'finished'] } }),
};

export const erasurePaths: Readonly<Record<string, OpenApiPart>> = {
  '/erasures': {
    post: operation({
      id: 'erasePerson',
      summary: 'Erase a person from all emails so far, and from the contacts',
      tag,
      requestBody: {
        type: 'object',
        properties: { email: { type: 'string', description: 'One address, without a name.' } },
        required: ['email'],
        additionalProperties: false,
      },
      success: { 201: schema('Erasure') },
    }),
  },
  '/erasures/{id}': {
    get: operation({
      id: 'getErasure',
      summary: 'Ask whether an erasure is finished',
      tag,
      path: { id: 'The id of an erasure.' },
      success: { 200: schema('Erasure') },
    }),
  },
};
