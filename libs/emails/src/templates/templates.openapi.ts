import { bodyRefusals, type OpenApiFeature, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation } from '../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../shared/validation/dto-schema.js';
import { CreateTemplateDto } from './create-template.dto.js';
import { TemplateRecordDto } from './template-record.dto.js';
import { UpdateTemplateDto } from './update-template.dto.js';

const tag = 'Templates';
const path = { id_or_alias: 'The id or the alias of a template.' };

const one = { 200: schema('Template') };

/** The body is optional; it must be an empty object. */
const noBody = bodyRefusals;

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const templatesOpenApi: OpenApiFeature = {
  schemas: { Template: answerSchema(TemplateRecordDto) },
  paths: {
    '/templates': {
      post: operation({
        id: 'createTemplate',
        summary: 'Create a template',
        tag,
        requestBody: requestSchema(CreateTemplateDto),
        success: { 201: schema('Template') },
      }),
      get: listing({ id: 'listTemplates', summary: 'List templates', tag }, schema('Template')),
    },
    '/templates/{id_or_alias}': {
      get: operation({ id: 'getTemplate', summary: 'Get a template', tag, path, success: one }),
      patch: operation({
        id: 'updateTemplate',
        summary: 'Change the draft of a template',
        tag,
        path,
        requestBody: requestSchema(UpdateTemplateDto),
        success: one,
      }),
      delete: operation({
        id: 'deleteTemplate',
        summary: 'Delete a template',
        tag,
        path,
        success: { 200: deleted('template') },
      }),
    },
    '/templates/{id_or_alias}/publish': {
      post: operation({
        id: 'publishTemplate',
        summary: 'Publish the draft, which emails are made from then on',
        tag,
        path,
        success: one,
        refusals: noBody,
      }),
    },
    '/templates/{id_or_alias}/duplicate': {
      post: operation({
        id: 'duplicateTemplate',
        summary: 'Make a draft of the same content',
        tag,
        path,
        success: one,
        refusals: noBody,
      }),
    },
  },
};
