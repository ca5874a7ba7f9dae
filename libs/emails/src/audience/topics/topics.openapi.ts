import { nullable, record, schema } from '../../shared/openapi/components.js';
import { deleted, listing, operation, repeated, uuid } from '../../shared/openapi/operations.js';

const tag = 'Topics';
const path = { id: 'The id of a topic.' };
const name = { type: 'string', minLength: 1, maxLength: 50 };
const visibility = { enum: ['public', 'private'] };
const description = { ...nullable('string'), maxLength: 200 };

const topic = record({
  object: { const: 'topic' },
  id: uuid,
  name,
  description,
  default_subscription: schema('Subscription'),
  visibility,
  created_at: schema('Timestamp'),
});

const create = {
  type: 'object',
  properties: {
    name,
    description,
    default_subscription: schema('Subscription'),
    visibility: { ...visibility, default: 'private' },
  },
  required: ['name', 'default_subscription'],
  additionalProperties: false,
};

const update = {
  type: 'object',
  properties: { name, description, visibility, id: repeated, topic_id: repeated },
  additionalProperties: false,
};

export const topicsOpenApi = {
  schemas: { Topic: topic },
  paths: {
    '/topics': {
      post: operation({
        id: 'createTopic',
        summary: 'Create a topic',
        tag,
        requestBody: create,
        success: { 201: schema('Topic') },
      }),
      get: listing({ id: 'listTopics', summary: 'List topics', tag }, schema('Topic')),
    },
    '/topics/{id}': {
      get: operation({ id: 'getTopic', summary: 'Get a topic', tag, path, success: { 200: schema('Topic') } }),
      patch: operation({
        id: 'updateTopic',
        summary: 'Change a topic',
        tag,
        path,
        requestBody: update,
        success: { 200: schema('Topic') },
      }),
      delete: operation({
        id: 'deleteTopic',
        summary: 'Delete a topic',
        tag,
        path,
        success: { 200: deleted('topic') },
      }),
    },
  },
};
