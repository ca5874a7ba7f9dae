import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from 'nestjs-emails';

/** Who is there, as a session answers it. */
export interface VisitorRecord {
  signedIn: boolean;
  permission: Caller['permission'] | null;
  /** Tells accounts apart, and nothing else of them; null for who is not signed in. */
  account: string | null;
  /** The API key of the session; null where the host signs in. */
  key: { id: string } | null;
  /** ISO 8601, UTC; null where that is not known. */
  expires_at: string | null;
}

/** Knows who looks at the page. */
export interface Visitors {
  /** Who asks people to sign in: this page for an API key, or the host in its own way. */
  readonly signIn: 'key' | 'host';

  /** What is said to whoever asks, signed in or not. A session in use is made to last. */
  describe(request: IncomingMessage, response: ServerResponse): Promise<VisitorRecord>;

  /** Lets the page's own scripts pass. @throws ApiError 401 for who is not signed in, 403 for what the page did not ask itself */
  admit(request: IncomingMessage, response: ServerResponse): Promise<Caller>;

  /** The same for a document in a frame of the page, which shows nothing but the cookie. */
  admitFrame(request: IncomingMessage, response: ServerResponse): Promise<Caller>;
}

export const Visitors = Symbol('nestjs-emails-dashboard visitors');
