import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DerivedKey, DerivedKeys } from 'nestjs-emails';

/** A session ends at the latest after this time. Milliseconds. */
export const LONGEST = 12 * 3_600_000;

/** A session that is not used ends after this time. Milliseconds. */
export const IDLE = 3_600_000;

/** What a session consists of; nothing of it is stored here. */
export interface SessionClaims {
  /** Of the API key that it speaks for. */
  keyId: string;
  /** Random; says which session it is. */
  sessionId: string;
  /** When it ends, whatever happens. Milliseconds since 1970. */
  endsAt: number;
  /** When it ends unless it is used. Milliseconds since 1970. */
  idleUntil: number;
}

/** Signs and reads sessions. Whoever has the secrets, in whichever process, reads what another one signed. */
export class SessionTokens {
  constructor(private readonly keys: DerivedKeys) {}

  /** A new session of a key. */
  begin(keyId: string, now: number): SessionClaims {
    const sessionId = randomBytes(16).toString('base64url');
    return { keyId, sessionId, endsAt: now + LONGEST, idleUntil: now + IDLE };
  }

  /** Which of the secrets signs, as the name of a cookie says it. */
  get signer(): string {
    return this.first.id;
  }

  /** Whether this names one of the secrets. */
  knows(signer: string): boolean {
    return this.keys.find(signer) !== undefined;
  }

  sign({ keyId, sessionId, endsAt, idleUntil }: SessionClaims): string {
    const payload = Buffer.from(JSON.stringify([keyId, sessionId, endsAt, idleUntil])).toString('base64url');
    return `${payload}.${mac(this.first, `session ${payload}`)}`;
  }

  /** Undefined for what was not signed with this secret, or has ended. */
  read(signer: string, token: string, now: number): SessionClaims | undefined {
    const key = this.keys.find(signer);
    const [payload = '', signature = ''] = token.split('.');
    if (!key || !isEqual(signature, mac(key, `session ${payload}`))) return undefined;
    const [keyId, sessionId, endsAt, idleUntil] = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return now < endsAt && now < idleUntil ? { keyId, sessionId, endsAt, idleUntil } : undefined;
  }

  /** What the page has to show besides the cookie, which other servers on the same machine get too. */
  pageToken({ sessionId }: Pick<SessionClaims, 'sessionId'>): string {
    return mac(this.first, `page ${sessionId}`);
  }

  /** Whether this is the page token of a session, by any of the secrets. */
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
