import { bodyRefusals, nullable, type OpenApiFeature, record, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation, repeated, timestampOrNull, uuid } from '../shared/openapi/operations.js';

const tag = 'Templates';
const path = { id_or_alias: 'The id or the alias of a template.' };

const key = { type: 'string', pattern: '^[A-Za-z0-9_]{1,50}$' };
const type = { enum: ['string', 'number'] };
const fallback = { type: ['string', 'number', 'null'], description: 'Null: every email must give a value.' };

const name = { type: 'string', minLength: 1, maxLength: 255 };
const alias = { ...nullable('string'), maxLength: 255 };
const subject = { ...nullable('string'), maxLength: 998 };

const template = record({
  object: { const: 'template' },
  id: uuid,
  name,
  alias,
  status: { enum: ['draft', 'published'] },
  from: nullable('string'),
  subject,
  reply_to: { type: 'array', items: schema('Mailbox') },
  html: nullable('string'),
  text: nullable('string'),
  variables: {
    type: 'array',
    maxItems: 50,
    items: record({
      id: uuid,
      key,
      type,
      fallback_value: fallback,
      created_at: schema('Timestamp'),
      updated_at: schema('Timestamp'),
    }),
  },
  created_at: schema('Timestamp'),
  updated_at: schema('Timestamp'),
  published_at: timestampOrNull,
  current_version_id: { ...uuid, description: 'Another one with every change of the draft’s content.' },
  has_unpublished_versions: { type: 'boolean', description: 'The draft is not what is sent.' },
});

const variable = {
  type: 'object',
  properties: { key, type, fallback_value: fallback },
  required: ['key', 'type'],
  additionalProperties: false,
};

const properties = {
  name,
  alias,
  from: nullable('string'),
  subject,
  reply_to: schema('Mailboxes'),
  html: nullable('string'),
  text: nullable('string'),
  variables: { type: 'array', items: variable, maxItems: 50 },
};
const create = { type: 'object', properties, required: ['name'], additionalProperties: false };
const update = {
  type: 'object',
  properties: { ...properties, id: repeated, template_id: repeated },
  additionalProperties: false,
};

const one = { 200: schema('Template') };

/** A body is not needed; one that is sent has to be an empty object. */
const noBody = bodyRefusals;

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const templatesOpenApi: OpenApiFeature = {
  schemas: { Template: template },
  paths: {
    '/templates': {
      post: operation({
        id: 'createTemplate',
        summary: 'Create a template',
        tag,
        requestBody: create,
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
        requestBody: update,
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
        summary: 'Send what the draft says from now on',
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
