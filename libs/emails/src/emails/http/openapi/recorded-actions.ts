import { type OpenApiPart, schema } from '../../../shared/openapi/components.js';
import { listing } from '../../../shared/openapi/operations.js';
import { answerSchema } from '../../../shared/validation/dto-schema.js';
import { ActionDto } from '../../read/actions/action.dto.js';
import { ListActionsQueryDto } from '../../read/actions/list-actions-query.dto.js';

export const recordedActionSchemas: Readonly<Record<string, OpenApiPart>> = { Action: answerSchema(ActionDto) };

export const recordedActionPaths: Readonly<Record<string, OpenApiPart>> = {
  '/actions': {
    get: listing(
      {
        id: 'listActions',
        summary: 'List who changed what in the last 90 days, newest first',
        tag: 'Actions',
        query: ListActionsQueryDto,
      },
      schema('Action'),
    ),
  },
};
