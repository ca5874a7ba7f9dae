/**
 * How far one envelope recipient got. `pending` and `delivery_delayed` are still owed; every other status is final
 * for delivery.
 */
export interface RecipientState {
  /** Envelope address, domain in A-labels. */
  address: string;
  status: 'pending' | 'delivery_delayed' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'suppressed';
}
