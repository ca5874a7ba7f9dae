import { AdaptiveLimit } from '../../shared/work/adaptive-limit.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { RecipientOutcome } from '../ports/email-transport.js';
import { saysTooMuch } from '../transports/too-much.js';

/** Attempts in a row that brought nothing through before a destination is paused. */
const FAILURES = 20;
/** How long a destination is paused, in milliseconds. */
const PAUSE = 30_000;
/** How long an email waits for a place before it makes room for others, in milliseconds. */
const PATIENCE = 1_000;
/** After which an email that found no place comes back, in milliseconds. */
const STALLED = 5_000;
/** In which a destination answers that can take more at once, in milliseconds. */
const QUICK = 5_000;
/** Destinations remembered. */
const MAX_DESTINATIONS = 10_000;

class Destination {
  readonly limit: AdaptiveLimit;
  readonly places: Semaphore;
  failures = 0;
  pausedUntil = 0;
  /** When an attempt last began or ended. */
  movedAt = 0;

  constructor(
    private readonly most: number,
    now: () => number,
  ) {
    this.limit = new AdaptiveLimit({ least: 1, most }, now);
    this.places = new Semaphore(most);
  }

  /** Nothing is known of it that a new one would not begin with. */
  isUnremarkable(now: number): boolean {
    return this.failures === 0 && this.pausedUntil <= now && this.limit.value >= this.most;
  }
}

/**
 * Keeps one slow or dead destination from holding up mail to others: each gets a number of this process's places, fewer
 * when it says that it gets too much, and one that keeps deferring is left alone for a while. A destination is the domain
 * of a recipient, where the next hop is its own server.
 */
export class DomainLimiter {
  private readonly destinations = new Map<string, Destination>();

  /** @param places attempts at one destination at the same time, at most */
  constructor(
    private readonly places: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Resolves with 0 when it got a place, which `leave` gives back. A destination that moves frees one soon, which is
   * waited for; for one that does not, it resolves with the milliseconds after which to come again.
   */
  async enter(domain: string): Promise<number> {
    if (this.destinations.size >= MAX_DESTINATIONS) this.forgetIdle();
    const destination = this.destinations.get(domain) ?? new Destination(this.places, this.now);
    this.destinations.set(domain, destination);
    const pause = destination.pausedUntil - this.now();
    if (pause > 0) return pause;
    if (destination.places.tryAcquire()) {
      destination.movedAt = this.now();
      return 0;
    }
    const moves = this.now() - destination.movedAt < PATIENCE;
    return moves && (await destination.places.acquire(1, PATIENCE)) ? 0 : STALLED;
  }

  /**
   * Gives the place back. `outcomes` is null when there was no attempt.
   *
   * @param began when the attempt was begun, by the clock of `performance`
   */
  leave(domain: string, outcomes: readonly RecipientOutcome[] | null, began = this.now()): void {
    const destination = this.destinations.get(domain);
    if (!destination) return;
    destination.movedAt = this.now();
    if (outcomes) this.judge(destination, outcomes, began);
    destination.places.release();
    if (destination.places.taken === 0 && destination.isUnremarkable(this.now())) this.destinations.delete(domain);
  }

  private forgetIdle(): void {
    for (const [domain, { places }] of this.destinations) if (places.taken === 0) this.destinations.delete(domain);
  }

  private judge(destination: Destination, outcomes: readonly RecipientOutcome[], began: number): void {
    const { limit, places } = destination;
    if (outcomes.some(({ reply }) => saysTooMuch(reply))) limit.pushedBack(began);
    else if (outcomes.some(isAccepted) && this.now() - began < QUICK) limit.succeeded();
    places.resize(limit.value);
    destination.failures = outcomes.every(({ outcome }) => outcome === 'deferred') ? destination.failures + 1 : 0;
    if (destination.failures < FAILURES) return;
    destination.failures = 0;
    destination.pausedUntil = this.now() + PAUSE;
  }
}

function isAccepted({ outcome }: RecipientOutcome): boolean {
  return outcome === 'accepted';
}
