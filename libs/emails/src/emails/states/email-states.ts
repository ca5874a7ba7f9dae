/**
 * Modules that move emails: `send` accepts them, `deliver` makes attempts, `change` makes their senders' later changes,
 * `report` records later reports.
 */
type Mover = 'send' | 'deliver' | 'change' | 'report';

interface EmailState {
  /** An email shows the state of highest rank among its recipients: the one that most needs the sender's attention. */
  rank: number;
  /** True if no attempt follows. A later report may still change it. */
  terminal: boolean;
  /** Modules that move emails to this state; none if it is not recorded yet. */
  by: readonly Mover[];
  meaning: string;
}

/** Every state of an email and the event that leads to it: the table of the contract, section 4, in its order. */
export const EMAIL_STATES = {
  queued: { rank: 6, terminal: false, by: ['send', 'deliver'], meaning: 'due: a worker takes it as soon as it can' },
  scheduled: { rank: 5, terminal: false, by: ['send', 'change'], meaning: 'accepted for a later time' },
  sent: {
    rank: 4,
    terminal: true,
    by: ['deliver'],
    meaning: 'the next hop accepted it; what became of it behind a relay is not known',
  },
  delivered: { rank: 3, terminal: true, by: ['deliver', 'report'], meaning: "the recipients' own server accepted it" },
  delivery_delayed: {
    rank: 7,
    terminal: false,
    by: ['deliver'],
    meaning: 'an attempt failed for now (4xx, no connection): the schedule says when the next one begins',
  },
  bounced: { rank: 9, terminal: true, by: ['deliver', 'report'], meaning: 'the server refused it permanently (5xx)' },
  complained: { rank: 10, terminal: true, by: ['report'], meaning: 'the recipient reported it as spam' },
  opened: { rank: 2, terminal: true, by: [], meaning: 'the recipient opened it. Not recorded yet' },
  clicked: { rank: 1, terminal: true, by: [], meaning: 'the recipient followed a link. Not recorded yet' },
  canceled: {
    rank: 11,
    terminal: true,
    by: ['change'],
    meaning: 'the sender canceled it, or no recipient is left after an erasure',
  },
  failed: {
    rank: 8,
    terminal: true,
    by: ['deliver', 'report'],
    meaning: 'the schedule ended without success, a policy refused it, or no recipient is left',
  },
  suppressed: { rank: 0, terminal: true, by: ['deliver'], meaning: 'the suppression list refused the recipient' },
} as const satisfies Readonly<Record<string, EmailState>>;

/** The states of an email and the events that lead to them (contract, section 4). */
export type EmailEventType = keyof typeof EMAIL_STATES;

/** Every event of an email: what leads to a state, and `unsubscribed`, which leads to none. */
export type RecordedEventType = EmailEventType | 'unsubscribed';

/** Events that lead to no state. They are in the timeline and in metrics, and never an email's `last_event`. */
export const STATELESS_EVENTS: readonly RecordedEventType[] = ['unsubscribed'];

/** The states to which one of these modules moves emails. */
export type MovedBy<M extends Mover> = {
  [S in EmailEventType]: M extends (typeof EMAIL_STATES)[S]['by'][number] ? S : never;
}[EmailEventType];

/** The state in which an email is accepted: due now, or later. */
export const FIRST_STATE = { now: 'queued', later: 'scheduled' } as const satisfies Record<string, MovedBy<'send'>>;
