import { IsIn } from 'class-validator';
import { SUBSCRIPTIONS } from './subscription.js';

export const IsSubscription = (): PropertyDecorator =>
  IsIn(SUBSCRIPTIONS, { message: 'must be `opt_in` or `opt_out`' });
