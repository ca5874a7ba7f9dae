import { csvFile, json, type OpenApiPart, response, schema } from '../../../shared/openapi/components.js';
import { operation } from '../../../shared/openapi/operations.js';
import { answerSchema, queryParameters, requestSchema } from '../../../shared/validation/dto-schema.js';
import { EmailActionDto } from '../../actions/email-action.dto.js';
import { StartActionDto } from '../../actions/start-action.dto.js';
import { StartedActionDto } from '../../actions/started-action.dto.js';
import { EmailCountDto } from '../../read/email-count.dto.js';
import { EMAIL_FILTERS } from '../../read/filter-object.js';
import { ListEmailsQueryDto } from '../../read/list-emails-query.dto.js';
import { idempotencyKey, replayed } from './idempotency.js';

const tag = 'Emails';
const filters = queryParameters(ListEmailsQueryDto).filter(({ name }) => EMAIL_FILTERS.includes(String(name)));

export const actionSchemas: Readonly<Record<string, OpenApiPart>> = {
  EmailAction: answerSchema(EmailActionDto),
};

export const actionPaths: Readonly<Record<string, OpenApiPart>> = {
  '/emails/actions': {
    post: operation({
      id: 'startEmailAction',
      summary: 'Cancel, retry or resend many emails: those with given ids, or all that match filters',
      tag,
      query: [idempotencyKey],
      requestBody: requestSchema(StartActionDto),
      success: {},
      refusals: {
        202: json('Committed, with all emails that it will act on.', answerSchema(StartedActionDto), replayed),
        400: response('MalformedEmail'),
        409: response('IdempotencyConflict'),
      },
    }),
  },
  '/emails/actions/{id}': {
    get: operation({
      id: 'getEmailAction',
      summary: 'The progress of an action on many emails',
      tag,
      path: { id: 'The id of an action.' },
      success: { 200: schema('EmailAction') },
    }),
  },
  '/emails/count': {
    get: operation({
      id: 'countEmails',
      summary: 'The number of emails that match every filter',
      tag,
      query: filters,
      success: { 200: answerSchema(EmailCountDto) },
      refusals: { 422: response('Invalid') },
    }),
  },
  '/emails/export': {
    get: operation({
      id: 'exportEmails',
      summary: 'All emails that match every filter, newest first, as a CSV file',
      tag,
      query: filters,
      success: {},
      refusals: {
        200: csvFile,
        422: response('Invalid'),
      },
    }),
  },
};
