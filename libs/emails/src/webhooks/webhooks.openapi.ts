import { listOf, logQuery, nullable, type OpenApiFeature, record, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation, repeated, uuid } from '../shared/openapi/operations.js';
import { EVENT_TYPES } from './endpoints/event-types.js';

const tag = 'Webhooks';
const path = { id: 'The id of a webhook.' };
const eventPath = { ...path, event: 'The id of an event in its log, `msg_…`.' };
const endpoint = { type: 'string', pattern: '^https?://', maxLength: 2_048 };
const status = { enum: ['enabled', 'disabled'] };
const events = { type: 'array', items: { enum: [...EVENT_TYPES] }, minItems: 1 };
const secret = { type: 'string', pattern: '^whsec_' };
const EVENT_ID = '^msg_[0-9A-Za-z]{27}$';
const ATTEMPT_ID = '^atmpt_[0-9A-Za-z]{27}$';
const eventId = { type: 'string', pattern: EVENT_ID };
const time = { type: 'string', format: 'date-time' };

const inList = { id: uuid, created_at: schema('Timestamp'), status, endpoint, events };
const object = { const: 'webhook' };
const changed = record({ object, id: uuid });
const eventInList = {
  id: eventId,
  type: { enum: [...EVENT_TYPES] },
  created_at: time,
  status: { enum: ['pending', 'attempting', 'success', 'failed'] },
};
const ofEvent = { object: { const: 'webhook_event' } };

const create = {
  type: 'object',
  properties: { endpoint, events, status: { ...status, default: 'enabled' } },
  required: ['endpoint', 'events'],
  additionalProperties: false,
};

const update = {
  type: 'object',
  properties: { endpoint, events, status, id: repeated, webhook_id: repeated },
  additionalProperties: false,
};

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const webhooksOpenApi: OpenApiFeature = {
  schemas: {
    Webhook: record({ object, ...inList, signing_secret: secret }),
    ListedWebhook: record(inList),
    NewWebhook: record({ object, id: uuid, signing_secret: secret }),
    WebhookEvent: record({
      ...ofEvent,
      ...eventInList,
      next_attempt_at: { ...nullable('string'), format: 'date-time' },
      payload: { type: 'object' },
    }),
    ListedWebhookEvent: record(eventInList),
    WebhookAttempt: record({
      id: { type: 'string', pattern: ATTEMPT_ID },
      http_status_code: { type: 'integer', minimum: 0 },
      response: { type: 'string' },
      sent_at: time,
    }),
  },
  paths: {
    '/webhooks': {
      post: operation({
        id: 'createWebhook',
        summary: 'Create a webhook',
        tag,
        requestBody: create,
        success: { 201: schema('NewWebhook') },
      }),
      get: listing({ id: 'listWebhooks', summary: 'List webhooks', tag, all: true }, schema('ListedWebhook')),
    },
    '/webhooks/{id}': {
      get: operation({ id: 'getWebhook', summary: 'Get a webhook', tag, path, success: { 200: schema('Webhook') } }),
      patch: operation({
        id: 'updateWebhook',
        summary: 'Change a webhook',
        tag,
        path,
        requestBody: update,
        success: { 200: changed },
      }),
      delete: operation({
        id: 'deleteWebhook',
        summary: 'Delete a webhook and its log',
        tag,
        path,
        success: { 200: deleted('webhook') },
      }),
    },
    '/webhooks/{id}/signing-secret/rotate': {
      post: operation({
        id: 'rotateWebhookSecret',
        summary: 'Give a webhook a new signing secret; the old one signs besides for a day',
        tag,
        path,
        success: { 200: schema('NewWebhook') },
      }),
    },
    '/webhooks/{id}/events': {
      get: operation({
        id: 'listWebhookEvents',
        summary: 'List what was sent, the newest first',
        tag,
        path,
        query: logQuery(EVENT_ID),
        success: { 200: listOf(schema('ListedWebhookEvent')) },
      }),
    },
    '/webhooks/{id}/events/{event}': {
      get: operation({
        id: 'getWebhookEvent',
        summary: 'Get what was sent',
        tag,
        path: eventPath,
        success: { 200: schema('WebhookEvent') },
      }),
    },
    '/webhooks/{id}/events/{event}/attempts': {
      get: operation({
        id: 'listWebhookAttempts',
        summary: 'List the requests that were made, the newest first',
        tag,
        path: eventPath,
        query: logQuery(ATTEMPT_ID),
        success: { 200: listOf(schema('WebhookAttempt')) },
      }),
    },
    '/webhooks/{id}/events/{event}/replay': {
      post: operation({
        id: 'replayWebhookEvent',
        summary: 'Send it once more, now',
        tag,
        path: eventPath,
        success: { 200: record({ ...ofEvent, id: eventId }) },
      }),
    },
  },
};
