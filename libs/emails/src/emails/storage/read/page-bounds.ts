import type { EmailEventType } from '../../states/email-states.js';

/** `summary`: html and text are null, and neither read nor counted. */
export type PageColumns = 'all' | 'summary';

/** Limits of a page. */
export interface PageBounds {
  limit: number;
  /** Content is html, text, sender, subject and mailboxes. */
  inlineBytes: number;
  maxBytes: number;
  columns: PageColumns;
}

/** A page's place: `older` or `newer` than the email with this sequence number. */
export interface PageCursor {
  direction: 'older' | 'newer';
  seq: string;
}

/** Filters of a search; all of them must match. */
export interface EmailFilters {
  /** Results of `terms`. */
  terms: readonly string[];
  /** One of them; undefined: any. */
  states: readonly EmailEventType[] | undefined;
  messageId: string | undefined;
  /** Created in [start, end): instants in a format that PostgreSQL reads. */
  start: string | undefined;
  end: string | undefined;
}
