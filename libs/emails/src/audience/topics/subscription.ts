/** A contact's choice, or a topic's default. */
export type Subscription = 'opt_in' | 'opt_out';

export const SUBSCRIPTIONS: readonly Subscription[] = ['opt_in', 'opt_out'];
