/** The states of an email and the events that lead to them (contract, section 4). */
export type EmailEventType =
  | 'queued'
  | 'scheduled'
  | 'sent'
  | 'delivered'
  | 'delivery_delayed'
  | 'bounced'
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'canceled'
  | 'failed'
  | 'suppressed';

/** Who moves emails: `send` accepts them, `deliver` makes attempts at them, `change` does what their senders ask for later. */
type Mover = 'send' | 'deliver' | 'change';

interface EmailState {
  /** Of several recipients' states the record shows that of the highest rank: what needs the sender's attention wins. */
  rank: number;
  /** Whether no attempt follows. What comes back later may still move it on. */
  terminal: boolean;
  /** Who moves an email there; nobody yet, where there is none. */
  by: readonly Mover[];
}

/** Every state, in the order of the contract. */
export const EMAIL_STATES = {
  queued: { rank: 6, terminal: false, by: ['send', 'deliver'] },
  scheduled: { rank: 5, terminal: false, by: ['send', 'change'] },
  sent: { rank: 4, terminal: true, by: ['deliver'] },
  delivered: { rank: 3, terminal: true, by: ['deliver'] },
  delivery_delayed: { rank: 7, terminal: false, by: ['deliver'] },
  bounced: { rank: 9, terminal: true, by: ['deliver'] },
  complained: { rank: 10, terminal: true, by: [] },
  opened: { rank: 2, terminal: true, by: [] },
  clicked: { rank: 1, terminal: true, by: [] },
  canceled: { rank: 11, terminal: true, by: ['change'] },
  failed: { rank: 8, terminal: true, by: ['deliver'] },
  suppressed: { rank: 0, terminal: true, by: ['deliver'] },
} as const satisfies Record<EmailEventType, EmailState>;

/** The states that one of them moves emails to. */
export type MovedBy<M extends Mover> = {
  [S in EmailEventType]: M extends (typeof EMAIL_STATES)[S]['by'][number] ? S : never;
}[EmailEventType];

/** In which an email is accepted: due now, or later. */
export const FIRST_STATE = { now: 'queued', later: 'scheduled' } as const satisfies Record<string, MovedBy<'send'>>;
