import { listOf, type OpenApiPart, schema } from '../../../shared/openapi/components.js';
import { operation } from '../../../shared/openapi/operations.js';
import { answerSchema, queryParameters } from '../../../shared/validation/dto-schema.js';
import { EmailEventDto } from '../../read/timeline/email-event.dto.js';
import { EmailRecipientDto } from '../../read/timeline/email-recipient.dto.js';
import { ListEventsQueryDto } from '../../read/timeline/list-events-query.dto.js';

/** Events of an email. */
export const timelinePaths: Readonly<Record<string, OpenApiPart>> = {
  '/emails/{id}/events': {
    get: operation({
      id: 'listEmailEvents',
      summary: 'List the events of an email, newest first',
      tag: 'Emails',
      path: { id: 'The id of the email.' },
      query: queryParameters(ListEventsQueryDto),
      success: { 200: listOf(schema('EmailEvent')) },
    }),
  },
  '/emails/{id}/recipients': {
    get: operation({
      id: 'listEmailRecipients',
      summary: 'List the state of each recipient of an email',
      tag: 'Emails',
      path: { id: 'The id of the email.' },
      success: { 200: listOf(schema('EmailRecipient'), 150) },
    }),
  },
};

export const timelineSchemas = {
  EmailEvent: answerSchema(EmailEventDto),
  EmailRecipient: answerSchema(EmailRecipientDto),
};
