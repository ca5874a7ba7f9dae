import type { OpenApiPart } from '../../../shared/openapi/components.js';
import { EMAIL_STATES } from '../../states/email-states.js';

const TEXT = { type: 'string' };
const ADDRESS = { type: 'string', examples: ['ann@example.com'] };
const TIME = { type: 'string', examples: ['2026-11-21', '2026-11-21T05:26:01Z'] };

const filter = (name: string, description: string, schema: OpenApiPart): OpenApiPart => ({
  name,
  in: 'query',
  description,
  schema,
});

/** The filters of the list of emails. */
export const filterQuery: readonly OpenApiPart[] = [
  {
    ...filter('last_event', 'In one of these states. Also repeated.', {
      type: 'array',
      minItems: 1,
      items: { enum: Object.keys(EMAIL_STATES) },
    }),
    style: 'form',
    explode: false,
  },
  filter('to', 'An address in `to`, `cc` or `bcc`, compared without case.', ADDRESS),
  filter('cc', 'The same, in `cc` alone.', ADDRESS),
  filter('bcc', 'The same, in `bcc` alone.', ADDRESS),
  filter('from', 'An address, or `@domain`.', { type: 'string', examples: ['ann@example.com', '@example.com'] }),
  {
    ...filter('tag', '`name` or `name:value`. Repeated: all of them.', {
      type: 'array',
      maxItems: 75,
      items: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,256}(:[A-Za-z0-9_-]{0,256})?$' },
    }),
    style: 'form',
    explode: true,
  },
  filter('topic_id', 'The topic.', { type: 'string', format: 'uuid' }),
  filter('message_id', 'The `Message-ID`, as the list shows it.', TEXT),
  filter('start_date', 'Created then or later. A date is its midnight in UTC.', TIME),
  filter('end_date', 'Created before.', TIME),
];
