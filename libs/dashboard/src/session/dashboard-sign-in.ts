import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** Lifetime of a code. Milliseconds. */
const LIFETIME = 3_600_000;

/** Limit of stored codes; the oldest are dropped. */
const CAPACITY = 100;

interface Invitation {
  token: string;
  expires: number;
}

/**
 * Makes links that sign in once: `{address}{path}/#code={code}`. The code follows `#`, which browsers do not send: no
 * server, proxy or log sees it before the page does, and link prefetchers do not use it up.
 *
 * @example
 * ```ts
 * const code = app.get(DashboardSignIn).codeFor('re_…');
 * console.log(`http://127.0.0.1:3000/dashboard/#code=${code}`);
 * ```
 */
@Injectable()
export class DashboardSignIn {
  private readonly invitations = new Map<string, Invitation>();

  /**
   * A code that signs in with this API key: once, within an hour, on this machine and in this process alone.
   *
   * @param token the key
   */
  codeFor(token: string): string {
    const code = randomBytes(32).toString('base64url');
    this.invitations.set(code, { token, expires: Date.now() + LIFETIME });
    const [oldest] = this.invitations.keys();
    if (this.invitations.size > CAPACITY && oldest !== undefined) this.invitations.delete(oldest);
    return code;
  }

  /** @internal Consumes a code and returns its key; undefined for an unknown or used one. */
  redeem(code: string): string | undefined {
    const invitation = this.invitations.get(code);
    this.invitations.delete(code);
    return invitation && Date.now() < invitation.expires ? invitation.token : undefined;
  }
}
