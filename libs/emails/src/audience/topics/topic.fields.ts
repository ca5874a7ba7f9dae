import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { fixed, line, oneOf, textUpTo, uuid } from '../../shared/validation/rule.js';
import { SUBSCRIPTIONS } from './subscription.js';

export const subscription = oneOf(SUBSCRIPTIONS, 'must be `opt_in` or `opt_out`');

/** The body of `POST /topics`. */
export const newTopic = new Fields({
  name: required(line(50)),
  description: optional(textUpTo(200)),
  default_subscription: required(subscription),
});

/** The body of `PATCH /topics/:id`. Null empties the description. */
export const topicChanges = new Fields({
  /** Sent by the official client; the topic that the path names. */
  id: optional(uuid('must be the id in the path, or absent')),
  name: optional(line(50)),
  description: optional(textUpTo(200)),
  default_subscription: optional(fixed),
});
