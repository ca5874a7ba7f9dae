import {
  body,
  bodyRefusals,
  callerRefusals,
  components,
  json,
  listOf,
  type OpenApiPart,
  response,
  schema,
} from '../../shared/openapi/components.js';
import { answerSchema, queryParameters, requestSchema } from '../../shared/validation/dto-schema.js';
import { ListEmailsQueryDto } from '../read/list-emails-query.dto.js';
import { ListedEmailDto } from '../read/listed-email.dto.js';
import { SendEmailDto } from '../send/request/send-email.dto.js';
import { SentEmailDto } from '../send/sent-email.dto.js';
import { actionPaths, actionSchemas } from './openapi/actions.js';
import { batchPaths } from './openapi/batch.js';
import { emailPart } from './openapi/email.js';
import { erasurePaths, erasureSchemas } from './openapi/erasures.js';
import { idempotencyKey, replayed } from './openapi/idempotency.js';
import { metricsPaths, metricsSchemas } from './openapi/metrics.js';
import { recordedActionPaths, recordedActionSchemas } from './openapi/recorded-actions.js';
import { resendPaths } from './openapi/resend.js';
import { linksOpenApi } from './openapi/signed-links.js';
import { timelinePaths, timelineSchemas } from './openapi/timeline.js';

const send = {
  operationId: 'sendEmail',
  summary: 'Send an email',
  description: 'After a 200 it is committed: it is delivered, or ends in an event that says why not.',
  tags: ['Emails'],
  parameters: [idempotencyKey],
  requestBody: body(schema('EmailRequest')),
  responses: {
    200: json('Committed.', answerSchema(SentEmailDto), replayed),
    ...callerRefusals,
    ...bodyRefusals,
    400: response('MalformedEmail'),
    409: response('IdempotencyConflict'),
    422: response('InvalidEmail'),
  },
};

const list = {
  operationId: 'listEmails',
  summary: 'List emails, newest first',
  description: 'Emails that match every filter. `after` and `before` may be any email, whether it is shown or not.',
  tags: ['Emails'],
  parameters: queryParameters(ListEmailsQueryDto),
  responses: {
    200: json('A page. It may hold fewer than `limit` when they are large.', listOf(schema('Email'))),
    ...callerRefusals,
    422: response('Invalid'),
  },
};

/**
 * The library's part of an OpenAPI 3.1 document, for the host to serve: `paths`, and `components` that the host's own
 * operations may refer to as well. The host adds servers, info and security.
 */
export const emailsOpenApi: {
  paths: Readonly<Record<string, OpenApiPart>>;
  components: Readonly<Record<string, OpenApiPart>>;
} = {
  paths: {
    '/emails': { post: send, get: list },
    ...batchPaths,
    ...emailPart.paths,
    ...resendPaths,
    ...linksOpenApi.paths,
    ...timelinePaths,
    ...metricsPaths,
    ...recordedActionPaths,
    ...erasurePaths,
    ...actionPaths,
  },
  components: {
    ...components,
    schemas: {
      ...components.schemas,
      EmailRequest: requestSchema(SendEmailDto, {
        description: '`""`, `null` and `[]` count as absent, except an empty `text`.',
      }),
      Email: answerSchema(ListedEmailDto),
      ...emailPart.schemas,
      ...linksOpenApi.schemas,
      ...timelineSchemas,
      ...metricsSchemas,
      ...recordedActionSchemas,
      ...erasureSchemas,
      ...actionSchemas,
    },
  },
};
