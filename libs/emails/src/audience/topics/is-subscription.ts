import { schema } from '../../shared/openapi/components.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { SUBSCRIPTIONS } from './subscription.js';

/** A contact's choice on a topic. */
export const IsSubscription = () =>
  ruleDecorator(
    'isSubscription',
    passes((value) => SUBSCRIPTIONS.some((word) => word === value), 'must be `opt_in` or `opt_out`'),
    schema('Subscription'),
  );
