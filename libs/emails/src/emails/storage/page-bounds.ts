import type { EmailEventType } from '../states/email-states.js';

/** How much is read at once. */
export interface PageBounds {
  limit: number;
  /** Content is html, text, sender, subject and mailboxes. */
  inlineBytes: number;
  maxBytes: number;
}

/** A page's place: `older` or `newer` than the email with this sequence number. */
export interface PageCursor {
  direction: 'older' | 'newer';
  seq: string;
}

/** What emails are looked for; all of it has to hold. */
export interface EmailFilters {
  /** As `terms` has them. */
  terms: readonly string[];
  /** One of them; undefined: any. */
  states: readonly EmailEventType[] | undefined;
  messageId: string | undefined;
  /** Created in [start, end): instants that PostgreSQL takes. */
  start: string | undefined;
  end: string | undefined;
}
