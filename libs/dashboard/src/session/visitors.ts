import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, PageRole } from 'nestjs-emails';

/** A visitor, signed in or not. */
export interface VisitorRecord {
  signedIn: boolean;
  permission: Caller['permission'] | null;
  /** Role of the visitor; null without a sign-in. */
  role: PageRole | null;
  /** Null without a sign-in. */
  accountId: string | null;
  /** The API key of the session; null if the host signs in. */
  key: { id: string } | null;
  /** ISO 8601, UTC; null if unknown. */
  expires_at: string | null;
}

/** Identifies the visitors of the page. */
export interface Visitors {
  /** The kind of sign-in: this page with an API key, or the host in its own way. */
  readonly signIn: 'key' | 'host';

  /** Answer to every visitor, signed in or not. A session in use is extended. */
  describe(request: IncomingMessage, response: ServerResponse): Promise<VisitorRecord>;

  /**
   * Admits the page's own scripts.
   *
   * @param needed the least role of the visitor
   * @throws ApiError 401 without a sign-in, 403 for requests of other pages and for a lower role
   */
  admit(request: IncomingMessage, response: ServerResponse, needed: PageRole): Promise<Caller>;

  /** The same for a document in a frame of the page, which sends only the cookie. */
  admitFrame(request: IncomingMessage, response: ServerResponse, needed: PageRole): Promise<Caller>;
}

export const Visitors = Symbol('nestjs-emails-dashboard visitors');
