import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndedSessions } from './ended-sessions.js';
import { type CookieScope, sessionCookies, setSessionCookie } from './session-cookie.js';
import type { SessionTokens } from './session-token.js';

/** Prefix of the secret's id in the name of an operator's cookie. */
export const OPERATOR_MARK = 'operator_';
/** Milliseconds. */
const LIFETIME = 3_600_000;

/** Sessions of operators: an hour each, and no longer than the token that opened them. */
export class OperatorSessions {
  constructor(
    private readonly tokens: SessionTokens,
    private readonly scope: CookieScope,
    private readonly ended: EndedSessions,
  ) {}

  /** @param tokenId identifies the token, and authenticates nothing */
  begin(request: IncomingMessage, response: ServerResponse, tokenId: string): void {
    const claims = this.tokens.begin(`operator ${tokenId}`, Date.now());
    const value = this.tokens.sign({ ...claims, idleUntil: Date.now() + LIFETIME });
    const cookie = { signer: OPERATOR_MARK + this.tokens.signer, value };
    setSessionCookie(request, response, cookie, this.scope, LIFETIME / 1_000);
  }

  async isOpen(request: IncomingMessage, tokenId: string): Promise<boolean> {
    for (const { signer, value } of sessionCookies(request)) {
      if (!signer.startsWith(OPERATOR_MARK)) continue;
      const claims = this.tokens.read(signer.slice(OPERATOR_MARK.length), value, Date.now());
      if (claims?.keyId === `operator ${tokenId}` && !(await this.ended.has(claims))) return true;
    }
    return false;
  }
}
