import { nullable, record, schema } from '../../shared/openapi/components.js';
import { deleted, listing, operation, repeated, uuid } from '../../shared/openapi/operations.js';

const tag = 'Contacts';
const path = { id_or_email: 'The id or the address of a contact.' };
const name = { ...nullable('string'), maxLength: 255 };

const properties = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z0-9_]{1,50}$' },
  additionalProperties: {
    oneOf: [
      record({ type: { const: 'string' }, value: { type: 'string', maxLength: 2_000 } }),
      record({ type: { const: 'number' }, value: { type: 'number' } }),
    ],
  },
  maxProperties: 100,
};
/** In a body null takes a property away. */
const someProperties = {
  ...properties,
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'number', 'null'], maxLength: 2_000 },
  description: 'What a change does not name stays; null takes one away.',
};
const lacking = { maxLength: 0, maxItems: 0, type: ['string', 'array', 'null'], description: 'Empty, or absent.' };

const choice = record({ id: { ...uuid, description: 'Of a topic.' }, subscription: schema('Subscription') });
const choices = { type: 'array', items: choice };

const contact = record({
  object: { const: 'contact' },
  id: uuid,
  email: { type: 'string' },
  first_name: name,
  last_name: name,
  unsubscribed: { type: 'boolean' },
  properties,
  created_at: schema('Timestamp'),
});

const contactTopic = record({
  id: uuid,
  name: { type: 'string' },
  description: nullable('string'),
  subscription: schema('Subscription'),
  created_at: schema('Timestamp'),
});

const details = {
  first_name: name,
  last_name: name,
  unsubscribed: { type: 'boolean' },
  properties: someProperties,
  audience_id: lacking,
  segment_id: lacking,
  segments: lacking,
};
const own = { id: repeated, contact_id: repeated, email: repeated };

const create = {
  type: 'object',
  properties: { email: { type: 'string' }, ...details, topics: choices },
  required: ['email'],
  additionalProperties: false,
};

const update = { type: 'object', properties: { ...details, ...own }, additionalProperties: false };

const choose = {
  oneOf: [
    choices,
    { type: 'object', properties: { topics: choices, ...own }, required: ['topics'], additionalProperties: false },
  ],
};

const chosen = record({
  object: { const: 'contact_topics' },
  id: uuid,
  contact_id: uuid,
  topics: { type: 'array', items: schema('ContactTopic') },
});

export const contactsOpenApi = {
  schemas: { Contact: contact, ContactTopic: contactTopic },
  paths: {
    '/contacts': {
      post: operation({
        id: 'createContact',
        summary: 'Create a contact, or write the given fields of the one with this email',
        tag,
        requestBody: create,
        success: { 201: schema('Contact') },
      }),
      get: listing({ id: 'listContacts', summary: 'List contacts', tag, all: true }, schema('Contact')),
    },
    '/contacts/{id_or_email}': {
      get: operation({ id: 'getContact', summary: 'Get a contact', tag, path, success: { 200: schema('Contact') } }),
      patch: operation({
        id: 'updateContact',
        summary: 'Change a contact',
        tag,
        path,
        requestBody: update,
        success: { 200: schema('Contact') },
      }),
      delete: operation({
        id: 'deleteContact',
        summary: 'Delete a contact',
        tag,
        path,
        success: { 200: deleted('contact', { contact: uuid }) },
      }),
    },
    '/contacts/{id_or_email}/topics': {
      get: listing(
        { id: 'listContactTopics', summary: 'List all topics as they are for a contact', tag, path },
        schema('ContactTopic'),
      ),
      patch: operation({
        id: 'chooseContactTopics',
        summary: 'Note what a contact chose',
        tag,
        path,
        requestBody: choose,
        success: { 200: chosen },
      }),
    },
  },
};
