import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DerivedKey, DerivedKeys } from 'nestjs-emails';

/** A session ends at the latest after this time. Milliseconds. */
export const LONGEST = 12 * 3_600_000;

/** A session that is not used ends after this time. Milliseconds. */
export const IDLE = 3_600_000;

/** Content of a session, which is not stored on the server. */
export interface SessionClaims {
  /** Id of the session's API key. */
  keyId: string;
  /** Random id of the session. */
  sessionId: string;
  /** Latest end. Milliseconds since 1970. */
  endsAt: number;
  /** End without further use. Milliseconds since 1970. */
  idleUntil: number;
}

/** Signs and reads sessions. Processes with the same secrets read each other's. */
export class SessionTokens {
  constructor(private readonly keys: DerivedKeys) {}

  /** A new session of a key. */
  begin(keyId: string, now: number): SessionClaims {
    const sessionId = randomBytes(16).toString('base64url');
    return { keyId, sessionId, endsAt: now + LONGEST, idleUntil: now + IDLE };
  }

  /** Id of the signing secret for the name of a cookie. */
  get signer(): string {
    return this.first.id;
  }

  /** True if this is the id of one of the secrets. */
  knows(signer: string): boolean {
    return this.keys.find(signer) !== undefined;
  }

  sign({ keyId, sessionId, endsAt, idleUntil }: SessionClaims): string {
    const payload = Buffer.from(JSON.stringify([keyId, sessionId, endsAt, idleUntil])).toString('base64url');
    return `${payload}.${mac(this.first, `session ${payload}`)}`;
  }

  /** Undefined for a token of another secret, or of an ended session. */
  read(signer: string, token: string, now: number): SessionClaims | undefined {
    const key = this.keys.find(signer);
    const [payload = '', signature = ''] = token.split('.');
    if (!key || !isEqual(signature, mac(key, `session ${payload}`))) return undefined;
    const [keyId, sessionId, endsAt, idleUntil] = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return now < endsAt && now < idleUntil ? { keyId, sessionId, endsAt, idleUntil } : undefined;
  }

  /** Token that the page must send in addition to the cookie, which other servers on the same machine receive too. */
  pageToken({ sessionId }: Pick<SessionClaims, 'sessionId'>): string {
    return mac(this.first, `page ${sessionId}`);
  }

  /** True if this is the page token of a session with any of the secrets. */
  isPageToken({ sessionId }: Pick<SessionClaims, 'sessionId'>, token: string): boolean {
    return this.keys.all.some((key) => isEqual(token, mac(key, `page ${sessionId}`)));
  }

  private get first(): DerivedKey {
    if (!this.keys.first) throw new Error('There is no secret to sign sessions with.');
    return this.keys.first;
  }
}

function mac({ key }: DerivedKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function isEqual(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
