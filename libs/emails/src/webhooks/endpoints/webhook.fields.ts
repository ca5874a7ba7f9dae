import { isIPv4 } from 'node:net';
import type { EndpointPolicy } from '../../shared/net/endpoint-policy.js';
import { didYouMean } from '../../shared/text/did-you-mean.js';
import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { repeated } from '../../shared/validation/repeated.js';
import { oneOf, type Rule, text } from '../../shared/validation/rule.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './event-types.js';
import { WEBHOOK_STATUSES } from './webhook.entity.js';

const KNOWN: ReadonlySet<unknown> = new Set(WEBHOOK_EVENT_TYPES);

const events: Rule<WebhookEventType[]> = (value) => {
  if (!Array.isArray(value)) return 'must be a list of event types, such as `["email.delivered"]`';
  const at = value.findIndex((type) => !KNOWN.has(type));
  if (at < 0) return undefined;
  const meant = typeof value[at] === 'string' ? didYouMean(value[at], WEBHOOK_EVENT_TYPES) : undefined;
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

/** What is not seen, or turns what is seen around. The parser of URLs passes over some of it, and a log or a page might not. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Scheme and authority as the parser reads them, but for what it would mend. */
const PLAIN = /^https?:\/\/[^/\\?#@%]+([/?#]|$)/i;

/**
 * Where requests may go, by what is known of that without asking for its address. It is stored as it was typed, so that who
 * reads it sees what was written; so what the parser of URLs reads as another place than it looks like is refused.
 */
export const endpointRule =
  (policy: Pick<EndpointPolicy, 'admit'>): Rule<string> =>
  (value, among) => {
    const wrong = text(value, among);
    if (wrong) return wrong;
    const endpoint = value as string;
    if (UNSEEN.test(endpoint)) return 'must have no spaces and no control characters or other unseen ones';
    if (endpoint.includes('\\')) return 'must have no backslash';
    let hostname: string;
    try {
      ({ hostname } = policy.admit(endpoint));
    } catch (error) {
      return (error as Error).message;
    }
    if (!PLAIN.test(endpoint)) return 'must have `//` and a host without `@` and `%` after its scheme';
    if (isIPv4(hostname) && !endpoint.includes(`//${hostname}`)) return `must have \`${hostname}\` spelled like this`;
    return undefined;
  };
