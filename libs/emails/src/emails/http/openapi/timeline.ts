import { listOf, nullable, type OpenApiPart, record, schema } from '../../../shared/openapi/components.js';
import { operation, timestampOrNull } from '../../../shared/openapi/operations.js';
import { EVENT_SOURCES } from '../../read/timeline/event-record.js';
import { EVENT_TYPES } from '../../read/timeline/events-query.js';
import { EMAIL_STATES } from '../../states/email-states.js';

const EVENT_ID = { type: 'string', pattern: '^\\d{1,19}$' };
/** Of the envelope, the domain in A-labels. */
const ADDRESS = { type: 'string' };

const bounce = record({
  type: { enum: ['Permanent', 'Transient', 'Undetermined'] },
  subType: {
    enum: [
      'Undetermined',
      'General',
      'NoEmail',
      'MailboxFull',
      'MessageTooLarge',
      'ContentRejected',
      'AttachmentRejected',
    ],
  },
  message: { type: 'string' },
  diagnosticCode: { type: 'array', items: { type: 'string' } },
});

const event = record({
  id: EVENT_ID,
  type: { enum: EVENT_TYPES },
  recipient: { ...nullable('string'), description: 'Null: it is about the whole email.' },
  created_at: schema('Timestamp'),
  reason: nullable('string'),
  attempt: { type: ['integer', 'null'], minimum: 1, description: 'Which attempt brought it; null: none.' },
  source: { enum: EVENT_SOURCES },
  bounce: { oneOf: [bounce, { type: 'null' }] },
});

const recipient = record({
  address: ADDRESS,
  field: { enum: ['to', 'cc', 'bcc'] },
  last_event: { enum: Object.keys(EMAIL_STATES) },
  attempts: { type: ['integer', 'null'], minimum: 0, description: 'Null: retention has deleted them.' },
  last_attempt_at: timestampOrNull,
  next_attempt_at: timestampOrNull,
  reason: nullable('string'),
});

const parameter = (name: string, description: string, of: OpenApiPart): OpenApiPart => ({
  name,
  in: 'query',
  description,
  schema: of,
});

/** What happened to an email. */
export const timelinePaths: Readonly<Record<string, OpenApiPart>> = {
  '/emails/{id}/events': {
    get: operation({
      id: 'listEmailEvents',
      summary: 'List what happened to an email, newest first',
      tag: 'Emails',
      path: { id: 'The id of the email.' },
      query: [
        { $ref: '#/components/parameters/Limit' },
        parameter('after', 'The id of an event: those that follow it, that is older.', EVENT_ID),
        {
          ...parameter('type', 'Only of these types.', { type: 'array', items: { enum: EVENT_TYPES } }),
          explode: false,
        },
        parameter('recipient', 'Only of this address, in whatever case.', ADDRESS),
      ],
      success: { 200: listOf(schema('EmailEvent')) },
    }),
  },
  '/emails/{id}/recipients': {
    get: operation({
      id: 'listEmailRecipients',
      summary: 'List what became of each recipient of an email',
      tag: 'Emails',
      path: { id: 'The id of the email.' },
      success: { 200: listOf(schema('EmailRecipient'), 150) },
    }),
  },
};

export const timelineSchemas = { EmailEvent: event, EmailRecipient: recipient };
