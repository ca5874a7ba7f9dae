import { AdaptiveLimit } from '../../shared/work/adaptive-limit.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { Destination as NamedDestination, RecipientOutcome } from '../ports/email-transport.js';
import { saysTooMuch } from '../transports/too-much.js';
import { Turns } from './turns.js';

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
/** Slots of a destination of which nothing is known: one that hangs keeps so many connections until it is found out. */
const FIRST = 2;
/** How long the slots and failures of an idle destination count, in milliseconds. */
const MEMORY = 60_000;
/** How long the speed of its last answer counts, in milliseconds. */
const SPEED_MEMORY = 3_600_000;
/** Destinations remembered. */
const MAX_DESTINATIONS = 10_000;

type Speed = NamedDestination['speed'];

/** How a destination answered last. Undefined: without a reply at all, or not yet. */
interface LastAnswer {
  speed: Speed;
  at: number;
}

class Destination {
  readonly limit: AdaptiveLimit;
  readonly places: Semaphore;
  readonly turns: Turns;
  failures = 0;
  pausedUntil = 0;
  /** When an attempt last began or ended. */
  movedAt = 0;

  constructor(
    most: number,
    now: () => number,
    public lastAnswer: LastAnswer | undefined,
  ) {
    this.limit = new AdaptiveLimit({ least: 1, most, first: FIRST }, now);
    this.places = new Semaphore(this.limit.value);
    this.turns = new Turns(now);
  }

  isForgotten(now: number): boolean {
    return this.places.taken === 0 && Math.max(this.movedAt + MEMORY, this.pausedUntil) <= now;
  }
}

/**
 * Keeps one slow or dead destination from holding up mail to others: each gets a few of this process's places, more with
 * each quick answer, fewer when it says that it gets too much or does not answer, and one that keeps deferring is left
 * alone for a while. See `destinationOf`.
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
   *
   * @param whenNear called once when the place is near, see `Turns`
   */
  async enter(domain: string, whenNear?: () => void): Promise<number> {
    const destination = this.destinationOf(domain);
    const pause = destination.pausedUntil - this.now();
    if (pause > 0) return pause;
    if (destination.places.tryAcquire()) {
      destination.movedAt = this.now();
      return 0;
    }
    if (this.now() - destination.movedAt >= PATIENCE) return STALLED;
    const { places, turns } = destination;
    return (await turns.wait(whenNear, () => places.acquire(1, PATIENCE))) ? 0 : STALLED;
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
    destination.turns.giveBack(() => destination.places.release());
  }

  /** How the destination answered within the last hour. Undefined: not known. */
  speedOf(domain: string): Speed {
    const lastAnswer = this.destinations.get(domain)?.lastAnswer;
    return lastAnswer && this.now() - lastAnswer.at < SPEED_MEMORY ? lastAnswer.speed : undefined;
  }

  private destinationOf(domain: string): Destination {
    const known = this.destinations.get(domain);
    if (!known && this.destinations.size >= MAX_DESTINATIONS) this.forgetIdle();
    const destination =
      known && !known.isForgotten(this.now()) ? known : new Destination(this.places, this.now, known?.lastAnswer);
    // The one that had mail last is the last of them.
    this.destinations.delete(domain);
    this.destinations.set(domain, destination);
    return destination;
  }

  /** Half of them, so that this is rare. */
  private forgetIdle(): void {
    for (const [domain, { places }] of this.destinations) {
      if (this.destinations.size <= MAX_DESTINATIONS / 2) return;
      if (places.taken === 0) this.destinations.delete(domain);
    }
  }

  private judge(destination: Destination, outcomes: readonly RecipientOutcome[], began: number): void {
    const { limit, places } = destination;
    const slowly = this.now() - began >= QUICK;
    const hasReply = outcomes.some(({ reply }) => reply.code !== undefined);
    destination.lastAnswer = { speed: slowly ? 'slow' : hasReply ? 'quick' : undefined, at: this.now() };
    if (outcomes.some(({ reply }) => saysTooMuch(reply))) limit.pushedBack(began);
    else if (outcomes.some(isAccepted)) limit.succeeded({ slowly });
    else if (slowly) limit.pushedBack(began);
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
