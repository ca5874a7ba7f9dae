import { csvFile, schema } from '../../shared/openapi/components.js';
import { listing, operation } from '../../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../../shared/validation/dto-schema.js';
import { AddSuppressionDto } from './add-suppression.dto.js';
import { AddSuppressionsDto } from './add-suppressions.dto.js';
import { AddedSuppressionDto } from './added-suppression.dto.js';
import { AddedSuppressionsDto } from './added-suppressions.dto.js';
import { ListSuppressionsQueryDto } from './list-suppressions-query.dto.js';
import { ListedSuppressionDto } from './listed-suppression.dto.js';
import { RemoveSuppressionsDto } from './remove-suppressions.dto.js';
import { RemovedSuppressionDto } from './removed-suppression.dto.js';
import { RemovedSuppressionsDto } from './removed-suppressions.dto.js';
import { SuppressionDto } from './suppression.dto.js';
import { UndoSuppressionsDto } from './undo-suppressions.dto.js';
import { UndoneSuppressionsDto } from './undone-suppressions.dto.js';

const tag = 'Suppressions';
const path = { id_or_email: 'The id or the address of a suppression.' };
export const suppressionsOpenApi = {
  schemas: {
    Suppression: answerSchema(SuppressionDto),
    ListedSuppression: answerSchema(ListedSuppressionDto),
    AddedSuppression: answerSchema(AddedSuppressionDto),
    RemovedSuppression: answerSchema(RemovedSuppressionDto),
  },
  paths: {
    '/suppressions': {
      post: operation({
        id: 'addSuppression',
        summary: 'Suppress an address',
        tag,
        requestBody: requestSchema(AddSuppressionDto),
        success: { 201: schema('AddedSuppression') },
      }),
      get: listing(
        { id: 'listSuppressions', summary: 'List suppressions', tag, query: ListSuppressionsQueryDto },
        schema('ListedSuppression'),
      ),
    },
    '/suppressions/export': {
      get: operation({
        id: 'exportSuppressions',
        summary: 'All suppressions, newest first, as a CSV file',
        tag,
        success: {},
        refusals: { 200: csvFile },
      }),
    },
    '/suppressions/{id_or_email}': {
      get: operation({
        id: 'getSuppression',
        summary: 'Get a suppression',
        tag,
        path,
        success: { 200: schema('Suppression') },
      }),
      delete: operation({
        id: 'removeSuppression',
        summary: 'Take an address off the list',
        tag,
        path,
        success: { 200: schema('RemovedSuppression') },
      }),
    },
    '/suppressions/batch/add': {
      post: operation({
        id: 'addSuppressions',
        summary: 'Suppress up to 100 addresses',
        tag,
        requestBody: requestSchema(AddSuppressionsDto),
        success: { 201: answerSchema(AddedSuppressionsDto) },
      }),
    },
    '/suppressions/batch/remove': {
      post: operation({
        id: 'removeSuppressions',
        summary: 'Take up to 100 addresses off the list',
        tag,
        requestBody: requestSchema(RemoveSuppressionsDto),
        success: { 200: answerSchema(RemovedSuppressionsDto) },
      }),
    },
    '/suppressions/undo': {
      post: operation({
        id: 'undoSuppressions',
        summary: 'Remove what bounces at one operator added',
        tag,
        requestBody: requestSchema(UndoSuppressionsDto),
        success: { 200: answerSchema(UndoneSuppressionsDto) },
      }),
    },
  },
};
