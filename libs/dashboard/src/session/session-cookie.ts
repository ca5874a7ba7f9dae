import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

const PREFIX = 'emails_';

/** A cookie as it came. */
export interface SessionCookie {
  /** Which secret it says that it was signed with. */
  signer: string;
  value: string;
}

/**
 * All cookies that may be a session. The name says which secret signed it: two hosts on one machine get each other's
 * cookies, as these do not separate ports (RFC 6265 section 8.5), and must not overwrite them.
 */
export function sessionCookies({ headers }: IncomingMessage): SessionCookie[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return name.startsWith(PREFIX) ? [{ signer: name.slice(PREFIX.length), value }] : [];
  });
}

/** Where a cookie holds. */
export interface CookieScope {
  mount: string;
  /** An `https` one makes every cookie `Secure`. */
  publicUrl: string | undefined;
}

/** @param seconds how long the browser keeps it; 0 takes it away */
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

/** Whether the caller came by TLS, as far as a proxy says so. What is said falsely here harms nobody but who says it. */
export function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  return (
    socket instanceof TLSSocket ||
    /^https\b/i.test(String(headers['x-forwarded-proto'] ?? '')) ||
    /\bproto="?https\b/i.test(headers.forwarded ?? '')
  );
}
