import type { EndpointPolicy } from '../../shared/net/endpoint-policy.js';
import { didYouMean } from '../../shared/text/did-you-mean.js';
import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { repeated } from '../../shared/validation/repeated.js';
import { oneOf, type Rule, text } from '../../shared/validation/rule.js';
import { EVENT_TYPES, type WebhookEventType } from './event-types.js';
import { WEBHOOK_STATUSES } from './webhook.entity.js';

const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

const events: Rule<WebhookEventType[]> = (value) => {
  if (!Array.isArray(value)) return 'must be a list of event types, such as `["email.delivered"]`';
  const at = value.findIndex((type) => !KNOWN.has(type));
  if (at < 0) return value.length > EVENT_TYPES.length ? 'must name each event type once' : undefined;
  const meant = typeof value[at] === 'string' ? didYouMean(value[at], EVENT_TYPES) : undefined;
  return `[${at}] is no event type. ${meant === undefined ? 'One is `email.delivered`.' : `Did you mean \`${meant}\`?`}`;
};

const status = optional(oneOf(WEBHOOK_STATUSES, 'must be `enabled` or `disabled`'));

/** The tables of `POST /webhooks` and `PATCH /webhooks/:id`. @param endpoint where requests may go */
export function webhookFields(endpoint: Rule<string>) {
  return {
    create: new Fields({ endpoint: required(endpoint), events: required(events), status }),
    change: new Fields({
      id: optional(repeated),
      webhook_id: optional(repeated),
      endpoint: optional(endpoint),
      events: optional(events),
      status,
    }),
  };
}

/** What the parser of URLs passes over, and a log or a page might not. */
const UNSEEN = /[\s\p{Cc}\p{Cs}]/u;

/** Where requests may go, by what is known of that without asking for its address. */
export const endpointRule =
  (policy: Pick<EndpointPolicy, 'admit'>): Rule<string> =>
  (value, among) => {
    const wrong = text(value, among);
    if (wrong) return wrong;
    if (UNSEEN.test(value as string)) return 'must have no spaces and control characters';
    try {
      policy.admit(value as string);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
