import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** How long a code is good for. Milliseconds. */
const LIFETIME = 3_600_000;

/** Codes that are kept at most; older ones go first. */
const CAPACITY = 100;

interface Invitation {
  token: string;
  expires: number;
}

/**
 * Makes links that sign in once: `{address}{path}/#code={code}`. The code stands behind `#`, which browsers keep to themselves:
 * no server, proxy or log sees it before the page shows it, and what fetches links ahead does not use it up.
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

  /** @internal The key of a code, which is used up by that; undefined for one that is none, or none any more. */
  redeem(code: string): string | undefined {
    const invitation = this.invitations.get(code);
    this.invitations.delete(code);
    return invitation && Date.now() < invitation.expires ? invitation.token : undefined;
  }
}
