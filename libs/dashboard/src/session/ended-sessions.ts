import type { KeyIdentifier } from 'nestjs-emails';
import type { SessionClaims } from './session-token.js';

/** Sessions that this process remembers, where nobody else does. */
const CAPACITY = 10_000;

type Ended = Pick<SessionClaims, 'sessionId' | 'endsAt'>;

/**
 * Sessions that were ended before their time, so that a copied cookie opens nothing. A `KeyIdentifier` with `endSession`
 * remembers them for all processes; otherwise this process does, until it stops.
 */
export class EndedSessions {
  /** When each would end by itself, the oldest first. */
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

  /** @throws ApiError 503 when it cannot be asked */
  async has({ sessionId }: Ended): Promise<boolean> {
    return this.own.has(sessionId) || ((await this.keys?.isSessionEnded?.(sessionId)) ?? false);
  }
}
