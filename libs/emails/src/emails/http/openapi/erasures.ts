import type { OpenApiPart } from '../../../shared/openapi/components.js';
import { schema } from '../../../shared/openapi/components.js';
import { operation } from '../../../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../../../shared/validation/dto-schema.js';
import { CreateErasureDto } from '../../change/create-erasure.dto.js';
import { ErasureDto } from '../../change/erasure.dto.js';

const tag = 'Erasures';

export const erasureSchemas: Readonly<Record<string, OpenApiPart>> = {
  Erasure: answerSchema(ErasureDto),
};

export const erasurePaths: Readonly<Record<string, OpenApiPart>> = {
  '/erasures': {
    post: operation({
      id: 'erasePerson',
      summary: 'Erase a person from all emails so far, and from the contacts',
      tag,
      requestBody: requestSchema(CreateErasureDto),
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
