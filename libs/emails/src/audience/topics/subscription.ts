/** The word of a contact, or of a topic for those who said nothing. */
export type Subscription = 'opt_in' | 'opt_out';

export const SUBSCRIPTIONS: readonly Subscription[] = ['opt_in', 'opt_out'];
