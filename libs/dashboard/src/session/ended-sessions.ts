import type { KeyIdentifier } from 'nestjs-emails';
import type { SessionClaims } from './session-token.js';

/** Limit of ended sessions in this process, without a shared store. */
const CAPACITY = 10_000;

type Ended = Pick<SessionClaims, 'sessionId' | 'endsAt'>;

/**
 * Sessions that were ended before they expired, so that a copied cookie is useless. A `KeyIdentifier` with `endSession`
 * stores them for all processes; otherwise this process stores them until it stops.
 */
export class EndedSessions {
  /** Expiry of each, the oldest first. */
  private readonly own = new Map<string, number>();

  constructor(private readonly keys: Pick<KeyIdentifier, 'endSession' | 'isSessionEnded'> | undefined) {}

  /** @throws ApiError 503 when it cannot be written */
  async add({ sessionId, endsAt }: Ended): Promise<void> {
    if (this.keys?.endSession) return this.keys.endSession(sessionId, new Date(endsAt));
    const now = Date.now();
    for (const [id, end] of this.own) {
      if (end > now && this.own.size < CAPACITY) break;
      this.own.delete(id);
    }
    this.own.set(sessionId, endsAt);
  }

  /** @throws ApiError 503 when it cannot be checked */
  async has({ sessionId }: Ended): Promise<boolean> {
    return this.own.has(sessionId) || ((await this.keys?.isSessionEnded?.(sessionId)) ?? false);
  }
}
