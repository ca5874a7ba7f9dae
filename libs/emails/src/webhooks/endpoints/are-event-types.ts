import { didYouMean } from '../../shared/text/did-you-mean.js';
import { type Rule, ruleDecorator } from '../../shared/validation/rule.js';
import { WEBHOOK_EVENT_TYPES } from './event-types.js';

const KNOWN: ReadonlySet<unknown> = new Set(WEBHOOK_EVENT_TYPES);

const eventTypes: Rule = (value) => {
  if (!Array.isArray(value)) return 'must be a list of event types, such as `["email.delivered"]`';
  const at = value.findIndex((type) => !KNOWN.has(type));
  if (at < 0) return undefined;
  const meant = typeof value[at] === 'string' ? didYouMean(value[at], WEBHOOK_EVENT_TYPES) : undefined;
  return `[${at}] is no event type. ${meant === undefined ? 'One is `email.delivered`.' : `Did you mean \`${meant}\`?`}`;
};

/** One or more event types; duplicates count once. */
export const AreEventTypes = () =>
  ruleDecorator('areEventTypes', eventTypes, { type: 'array', items: { enum: WEBHOOK_EVENT_TYPES }, minItems: 1 });
