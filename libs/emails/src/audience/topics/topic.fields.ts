import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { repeated } from '../../shared/validation/repeated.js';
import { fixed, line, oneOf, textUpTo } from '../../shared/validation/rule.js';
import { SUBSCRIPTIONS } from './subscription.js';
import { VISIBILITIES } from './visibility.js';

export const subscription = oneOf(SUBSCRIPTIONS, 'must be `opt_in` or `opt_out`');

const visibility = optional(oneOf(VISIBILITIES, 'must be `public` or `private`'));

/** The body of `POST /topics`. */
export const newTopic = new Fields({
  name: required(line(50)),
  description: optional(textUpTo(200)),
  default_subscription: required(subscription),
  visibility,
});

/** The body of `PATCH /topics/:id`. Null clears the description. */
export const topicChanges = new Fields({
  id: optional(repeated),
  topic_id: optional(repeated),
  name: optional(line(50)),
  description: optional(textUpTo(200)),
  default_subscription: optional(fixed),
  visibility,
});
