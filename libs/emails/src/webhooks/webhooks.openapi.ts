import { ALL, WholeListQueryDto } from '../shared/http/page-query.dto.js';
import { listOf, type OpenApiFeature, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation } from '../shared/openapi/operations.js';
import { answerSchema, queryParameters, requestSchema } from '../shared/validation/dto-schema.js';
import { ChangedWebhookDto } from './endpoints/changed-webhook.dto.js';
import { CreateWebhookDto } from './endpoints/create-webhook.dto.js';
import { ListedWebhookDto } from './endpoints/listed-webhook.dto.js';
import { NewWebhookDto } from './endpoints/new-webhook.dto.js';
import { UpdateWebhookDto } from './endpoints/update-webhook.dto.js';
import { WebhookDto } from './endpoints/webhook.dto.js';
import { ListedWebhookEventDto } from './log/listed-webhook-event.dto.js';
import { LogQueryDto } from './log/log-query.dto.js';
import { ReplayWebhookDto } from './log/replay-webhook.dto.js';
import { ReplayedWebhookDto } from './log/replayed-webhook.dto.js';
import { ReplayedWebhookEventDto } from './log/replayed-webhook-event.dto.js';
import { TestWebhookDto } from './log/test-webhook.dto.js';
import { WebhookAttemptDto } from './log/webhook-attempt.dto.js';
import { WebhookEventDto } from './log/webhook-event.dto.js';
import { WebhookStatisticsDto } from './log/webhook-statistics.dto.js';

const tag = 'Webhooks';
const path = { id: 'The id of a webhook.' };
const eventPath = { ...path, event: 'The id of an event in its log, `msg_…`.' };
/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const webhooksOpenApi: OpenApiFeature = {
  schemas: {
    Webhook: answerSchema(WebhookDto),
    ListedWebhook: answerSchema(ListedWebhookDto),
    NewWebhook: answerSchema(NewWebhookDto),
    WebhookEvent: answerSchema(WebhookEventDto),
    ListedWebhookEvent: answerSchema(ListedWebhookEventDto),
    WebhookAttempt: answerSchema(WebhookAttemptDto),
    WebhookStatistics: answerSchema(WebhookStatisticsDto),
  },
  paths: {
    '/webhooks': {
      post: operation({
        id: 'createWebhook',
        summary: 'Create a webhook',
        tag,
        requestBody: requestSchema(CreateWebhookDto),
        success: { 201: schema('NewWebhook') },
      }),
      get: listing(
        { id: 'listWebhooks', summary: 'List webhooks', tag, query: WholeListQueryDto, max: ALL },
        schema('ListedWebhook'),
      ),
    },
    '/webhooks/{id}': {
      get: operation({ id: 'getWebhook', summary: 'Get a webhook', tag, path, success: { 200: schema('Webhook') } }),
      patch: operation({
        id: 'updateWebhook',
        summary: 'Change a webhook',
        tag,
        path,
        requestBody: requestSchema(UpdateWebhookDto),
        success: { 200: answerSchema(ChangedWebhookDto) },
      }),
      delete: operation({
        id: 'deleteWebhook',
        summary: 'Delete a webhook and its log',
        tag,
        path,
        success: { 200: deleted('webhook') },
      }),
    },
    '/webhooks/statistics': {
      get: operation({
        id: 'getWebhookStatistics',
        summary: 'Get the latest events of all webhooks in numbers',
        tag,
        success: { 200: listOf(schema('WebhookStatistics')) },
      }),
    },
    '/webhooks/{id}/test': {
      post: operation({
        id: 'testWebhook',
        summary: 'Send a test event to a webhook',
        tag,
        path,
        requestBody: requestSchema(TestWebhookDto),
        success: { 200: answerSchema(ReplayedWebhookEventDto) },
      }),
    },
    '/webhooks/{id}/replay': {
      post: operation({
        id: 'replayWebhook',
        summary: 'Send failed events once more, in groups',
        tag,
        path,
        requestBody: requestSchema(ReplayWebhookDto),
        success: { 200: answerSchema(ReplayedWebhookDto) },
      }),
    },
    '/webhooks/{id}/signing-secret/rotate': {
      post: operation({
        id: 'rotateWebhookSecret',
        summary: 'Give a webhook a new signing secret; the old one also signs for a day',
        tag,
        path,
        success: { 200: schema('NewWebhook') },
      }),
    },
    '/webhooks/{id}/events': {
      get: operation({
        id: 'listWebhookEvents',
        summary: 'List sent events, the newest first',
        tag,
        path,
        query: queryParameters(LogQueryDto),
        success: { 200: listOf(schema('ListedWebhookEvent')) },
      }),
    },
    '/webhooks/{id}/events/{event}': {
      get: operation({
        id: 'getWebhookEvent',
        summary: 'Get a sent event',
        tag,
        path: eventPath,
        success: { 200: schema('WebhookEvent') },
      }),
    },
    '/webhooks/{id}/events/{event}/attempts': {
      get: operation({
        id: 'listWebhookAttempts',
        summary: 'List the requests of an event, the newest first',
        tag,
        path: eventPath,
        query: queryParameters(LogQueryDto),
        success: { 200: listOf(schema('WebhookAttempt')) },
      }),
    },
    '/webhooks/{id}/events/{event}/replay': {
      post: operation({
        id: 'replayWebhookEvent',
        summary: 'Send an event once more, now',
        tag,
        path: eventPath,
        success: { 200: answerSchema(ReplayedWebhookEventDto) },
      }),
    },
  },
};
