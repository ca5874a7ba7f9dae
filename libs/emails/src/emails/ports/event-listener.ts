import type { BounceKind } from '../../shared/replies/bounce.js';
import type { EmailEventType, RecordedEventType } from '../states/email-states.js';

export type { BounceKind, EmailEventType, RecordedEventType };

/** One entry of an email's append-only history. */
export interface EmailEvent {
  /** Unique id of the event, by which a repeated notification is recognised. Not in the order of commits. */
  id: string;
  /** Time of its recording, by the clock of PostgreSQL. */
  createdAt: Date;
  accountId: string;
  emailId: string;
  type: RecordedEventType;
  /** The envelope address it is about; absent when it is about the whole email. */
  recipient?: string;
  /**
   * The reason in words: the next hop's reply, the text of a suppression list, the code of another policy, or a
   * sentence that the code stands for.
   */
  reason?: string;
  /**
   * The reason code: one of the contract's table (section 3.4), or the code of a policy. Base decisions on this one.
   */
  reasonCode?: string;
  /** Number of the attempt that led to it, from 1; absent without one. */
  attempt?: number;
  /** Name of the transport of that attempt; absent without one, and in event subscriptions. */
  transport?: string;
  /** The kind of a bounce; absent for other events. */
  bounce?: BounceKind;
}

/**
 * Notified of every event after the commit of the transaction that recorded it. At most once: if the process dies
 * between the commit and this call, the notification is lost. The state of an email can be read at any time
 * (`EmailsService`).
 */
export interface EmailEventListener {
  /** Events of one or more emails, in their order. Its errors are logged and have no other effect. */
  onEvents(events: readonly EmailEvent[]): void | Promise<void>;
}
