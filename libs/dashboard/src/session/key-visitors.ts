import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type Caller, type KeyIdentifier, type PageRole, requireRole, roleOf } from 'nestjs-emails';
import type { DashboardSignIn } from './dashboard-sign-in.js';
import type { EndedSessions } from './ended-sessions.js';
import { OPERATOR_MARK } from './operator-sessions.js';
import { requireOwnOrigin, requireOwnScript } from './own-request.js';
import { type CookieScope, sessionCookies, setSessionCookie } from './session-cookie.js';
import { IDLE, LONGEST, type SessionClaims, type SessionTokens } from './session-token.js';
import { isFromThisMachine } from './this-machine.js';
import type { VisitorRecord, Visitors } from './visitors.js';

/** A session in use is extended by an hour after this time. Milliseconds. */
const RENEWAL = 300_000;

interface OpenSession {
  signer: string;
  claims: SessionClaims;
  caller: Caller;
}

/** Credentials of a sign-in. */
export interface Proof {
  token?: unknown;
  code?: unknown;
}

/**
 * Visitors who sign in with an API key. A session is a signed cookie and a token of the page; the server stores only
 * ended ones.
 */
export class KeyVisitors implements Visitors {
  readonly signIn = 'key';

  constructor(
    private readonly keys: KeyIdentifier,
    private readonly tokens: SessionTokens,
    private readonly invitations: DashboardSignIn,
    private readonly scope: CookieScope,
    private readonly ended: EndedSessions,
  ) {}

  /**
   * Begins a session.
   *
   * @returns the page token
   * @throws ApiError like `KeyIdentifier`; 401 for a used code, and for a sending-only key
   */
  async begin(proof: Proof, request: IncomingMessage, response: ServerResponse) {
    const token = typeof proof.code === 'string' ? this.redeem(proof.code, request) : proof.token;
    if (typeof token !== 'string' || token === '') throw ApiError.missingField('token');
    const { id, caller } = await this.keys.identifyKey({ token, remoteAddress: request.socket.remoteAddress });
    if (caller.permission !== 'full_access') {
      throw new ApiError(
        401,
        'restricted_api_key',
        'This key may only send emails. The page needs one with full access.',
      );
    }
    const claims = this.tokens.begin(id, Date.now());
    this.setCookie({ signer: this.tokens.signer, claims }, request, response);
    return { visitor: recordOf({ claims, caller }), pageToken: this.tokens.pageToken(claims) };
  }

  /**
   * Ends every session whose cookie was sent, including copies of the cookie.
   *
   * @throws ApiError 503 with nothing ended
   */
  async end(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Another host on this machine gets the same cookies.
    const own = sessionCookies(request).filter(({ signer }) => this.tokens.knows(secretOf(signer)));
    const claims = own.map(({ signer, value }) => this.tokens.read(secretOf(signer), value, Date.now()));
    for (const session of claims) if (session) await this.ended.add(session);
    for (const { signer } of own) setSessionCookie(request, response, { signer, value: '' }, this.scope, 0);
  }

  async describe(request: IncomingMessage, response: ServerResponse): Promise<VisitorRecord> {
    const session = await this.find(request, (found) => this.shows(request, found));
    if (!session)
      return { signedIn: false, permission: null, role: null, accountId: null, key: null, expires_at: null };
    const now = Date.now();
    if (session.claims.idleUntil - now < IDLE - RENEWAL) {
      session.claims = { ...session.claims, idleUntil: now + IDLE };
      this.setCookie(session, request, response);
    }
    return recordOf(session);
  }

  async admit(request: IncomingMessage, _response: ServerResponse, needed: PageRole): Promise<Caller> {
    requireOwnScript(request, this.scope.publicUrl);
    const session = await this.find(request, (found) => this.shows(request, found));
    const caller = permitted(session, needed);
    return session ? { ...caller, page: { sessionId: session.claims.sessionId } } : caller;
  }

  async admitFrame(request: IncomingMessage, _response: ServerResponse, needed: PageRole): Promise<Caller> {
    requireOwnOrigin(request, this.scope.publicUrl);
    return permitted(await this.find(request, () => true), needed);
  }

  private redeem(code: string, request: IncomingMessage): string {
    const token = isFromThisMachine(request) ? this.invitations.redeem(code) : undefined;
    if (token !== undefined) return token;
    throw new ApiError(
      401,
      'invalid_access',
      'This link signed in once already, is older than an hour, or is of an earlier start. Sign in with an API key.',
    );
  }

  /** The first cookie of a valid session with a valid key that meets the condition. */
  private async find(
    request: IncomingMessage,
    isWanted: (session: Pick<OpenSession, 'signer' | 'claims'>) => boolean,
  ): Promise<OpenSession | undefined> {
    const now = Date.now();
    for (const { signer, value } of sessionCookies(request)) {
      const claims = this.tokens.read(signer, value, now);
      if (!claims || !isWanted({ signer, claims })) continue;
      const caller = await this.keys.callerOfKey(claims.keyId);
      if (caller?.permission !== 'full_access' || (await this.ended.has(claims))) continue;
      return { signer, claims, caller };
    }
    return undefined;
  }

  private shows(request: IncomingMessage, { claims }: Pick<OpenSession, 'claims'>): boolean {
    return this.tokens.isPageToken(claims, requireOwnScript(request, this.scope.publicUrl));
  }

  /** Signs with the newest secret, also if an older one was used before. */
  private setCookie(
    { signer, claims }: Pick<OpenSession, 'signer' | 'claims'>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const newest = this.tokens.signer;
    setSessionCookie(
      request,
      response,
      { signer: newest, value: this.tokens.sign(claims) },
      this.scope,
      LONGEST / 1_000,
    );
    if (signer !== newest) setSessionCookie(request, response, { signer, value: '' }, this.scope, 0);
  }
}

function recordOf({ claims, caller }: Pick<OpenSession, 'claims' | 'caller'>): VisitorRecord {
  return {
    signedIn: true,
    permission: caller.permission,
    role: roleOf(caller),
    accountId: caller.accountId,
    key: { id: claims.keyId },
    expires_at: new Date(Math.min(claims.endsAt, claims.idleUntil)).toISOString(),
  };
}

/** The id of the secret in a cookie's name, also for an operator's cookie. */
function secretOf(signer: string): string {
  return signer.replace(OPERATOR_MARK, '');
}

function permitted(session: OpenSession | undefined, needed: PageRole): Caller {
  if (!session) throw new ApiError(401, 'missing_api_key', 'You are not signed in any more.');
  requireRole(session.caller, needed);
  return session.caller;
}
