import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBehindTls } from 'nestjs-emails';

const PREFIX = 'emails_';

/** A received cookie. */
export interface SessionCookie {
  /** Id of the secret in its name. */
  signer: string;
  value: string;
}

/**
 * All cookies that may be a session. The name contains the id of the secret: two hosts on one machine get each other's
 * cookies, because cookies ignore ports (RFC 6265 section 8.5), and must not overwrite them.
 */
export function sessionCookies({ headers }: IncomingMessage): SessionCookie[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return name.startsWith(PREFIX) ? [{ signer: name.slice(PREFIX.length), value }] : [];
  });
}

/** Scope of a cookie. */
export interface CookieScope {
  mount: string;
  /** An `https` one makes every cookie `Secure`. */
  publicUrl: string | undefined;
}

/** @param seconds lifetime in the browser; 0 deletes it */
export function setSessionCookie(
  request: IncomingMessage,
  response: ServerResponse,
  { signer, value }: SessionCookie,
  { mount, publicUrl }: CookieScope,
  seconds: number,
): void {
  const secure = isBehindTls(request) || publicUrl?.startsWith('https:') ? '; Secure' : '';
  response.appendHeader(
    'set-cookie',
    `${PREFIX}${signer}=${value}; Path=${mount}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
