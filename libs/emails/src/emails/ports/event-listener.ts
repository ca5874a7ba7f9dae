import type { BounceKind } from '../states/bounce.js';
import type { EmailEventType } from '../states/email-states.js';

export type { BounceKind, EmailEventType };

/** One entry of an email's append-only history. */
export interface EmailEvent {
  /** Names this event and no other, so that one that is told twice can be known. Not in the order of commits. */
  id: string;
  /** When it was recorded, by the clock of PostgreSQL. */
  createdAt: Date;
  accountId: string;
  emailId: string;
  type: EmailEventType;
  /** The envelope address it is about; absent when it is about the whole email. */
  recipient?: string;
  /** Why: the next hop's reply, the code of a recipient policy such as `topic_opted_out`, or
   * the words of a suppression list. */
  reason?: string;
  /** Which of the email's attempts brought it, from 1; absent when none did. */
  attempt?: number;
  /** Of what kind a bounce is; absent of all else. */
  bounce?: BounceKind;
}

/**
 * Told of every event after the transaction that recorded it was committed. At most once: a process that dies between
 * the commit and this call tells nobody. What became of an email can be asked at any time (`EmailsService`).
 */
export interface EmailEventListener {
  /** Events of one or more emails, in their order. What it throws is logged and harms nobody. */
  onEvents(events: readonly EmailEvent[]): void | Promise<void>;
}
