import { AdaptiveLimit } from '../../shared/work/adaptive-limit.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { Destination as NamedDestination, RecipientOutcome } from '../ports/email-transport.js';
import { reportsOverload } from '../transports/overload-reply.js';
import { Turns } from './turns.js';

/** Consecutive attempts without an accepted recipient before a destination is paused. */
const FAILURES = 20;
/** How long a destination is paused. Milliseconds. */
const PAUSE = 30_000;
/** Time limit for acquiring a slot of a destination. Milliseconds. */
const PATIENCE = 1_000;
/** Delay before an email that got no slot is tried again. Milliseconds. */
const STALLED = 5_000;
/** An answer within this time earns another slot. Milliseconds. */
const QUICK = 5_000;
/** Slots of an unknown destination: one that hangs holds this many connections until it is found out. */
const FIRST = 2;
/** How long the slots and failures of an idle destination are remembered. Milliseconds. */
const MEMORY = 60_000;
/** How long the speed of its last answer is remembered. Milliseconds. */
const SPEED_MEMORY = 3_600_000;
/** Limit of remembered destinations. */
const MAX_DESTINATIONS = 10_000;

type Speed = NamedDestination['speed'];

/** A destination's last answer. Undefined: no reply, or no attempt yet. */
interface LastAnswer {
  speed: Speed;
  at: number;
}

class Destination {
  readonly limit: AdaptiveLimit;
  readonly slots: Semaphore;
  readonly turns: Turns;
  failures = 0;
  pausedUntil = 0;
  /** When an attempt last began or ended. */
  movedAt = 0;

  constructor(
    max: number,
    now: () => number,
    public lastAnswer: LastAnswer | undefined,
  ) {
    this.limit = new AdaptiveLimit({ least: 1, most: max, first: FIRST }, now);
    this.slots = new Semaphore(this.limit.value);
    this.turns = new Turns(now);
  }

  isForgotten(now: number): boolean {
    return this.slots.taken === 0 && Math.max(this.movedAt + MEMORY, this.pausedUntil) <= now;
  }
}

/**
 * Keeps one slow or dead destination from delaying mail to others. Each destination gets a few of this process's slots:
 * more with each quick answer, fewer when it reports overload or does not answer. A destination that keeps deferring is
 * paused. See `destinationOf`.
 */
export class DomainLimiter {
  private readonly destinations = new Map<string, Destination>();

  /** @param slots limit of simultaneous attempts at one destination */
  constructor(
    private readonly slots: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Resolves with 0 when it acquired a slot, which `leave` releases. It waits for a slot of a destination that makes
   * progress; otherwise it resolves with the delay in milliseconds before the next try.
   *
   * @param whenNear called once when the slot is near, see `Turns`
   * @param turn the lowest is first. Default: 0
   */
  async enter(domain: string, whenNear?: () => void, turn = 0): Promise<number> {
    const destination = this.destinationOf(domain);
    const pause = destination.pausedUntil - this.now();
    if (pause > 0) return pause;
    if (destination.slots.tryAcquire()) {
      destination.movedAt = this.now();
      return 0;
    }
    if (this.now() - destination.movedAt >= PATIENCE) return STALLED;
    const { slots, turns } = destination;
    return (await turns.wait(whenNear, () => slots.acquire(PATIENCE, turn), turn)) ? 0 : STALLED;
  }

  /**
   * Releases the slot. `outcomes` is null when there was no attempt.
   *
   * @param began when the attempt began, in milliseconds of `performance.now()`
   */
  leave(domain: string, outcomes: readonly RecipientOutcome[] | null, began = this.now()): void {
    const destination = this.destinations.get(domain);
    if (!destination) return;
    destination.movedAt = this.now();
    if (outcomes) this.judge(destination, outcomes, began);
    destination.turns.release(() => destination.slots.release());
  }

  /** How the destination answered within the last hour. Undefined: unknown. */
  speedOf(domain: string): Speed {
    const lastAnswer = this.destinations.get(domain)?.lastAnswer;
    return lastAnswer && this.now() - lastAnswer.at < SPEED_MEMORY ? lastAnswer.speed : undefined;
  }

  private destinationOf(domain: string): Destination {
    const known = this.destinations.get(domain);
    if (!known && this.destinations.size >= MAX_DESTINATIONS) this.forgetIdle();
    const destination =
      known && !known.isForgotten(this.now()) ? known : new Destination(this.slots, this.now, known?.lastAnswer);
    // Inserting it again makes it the last in the map's order.
    this.destinations.delete(domain);
    this.destinations.set(domain, destination);
    return destination;
  }

  /** Forgets half of them, so that this is rare. */
  private forgetIdle(): void {
    for (const [domain, { slots }] of this.destinations) {
      if (this.destinations.size <= MAX_DESTINATIONS / 2) return;
      if (slots.taken === 0) this.destinations.delete(domain);
    }
  }

  private judge(destination: Destination, outcomes: readonly RecipientOutcome[], began: number): void {
    const { limit, slots } = destination;
    const slowly = this.now() - began >= QUICK;
    const hasReply = outcomes.some(({ reply }) => reply.code !== undefined);
    destination.lastAnswer = { speed: slowly ? 'slow' : hasReply ? 'quick' : undefined, at: this.now() };
    if (outcomes.some(({ address, reply }) => reportsOverload([reply], () => [address]))) limit.pushedBack(began);
    else if (outcomes.some(isAccepted)) limit.succeeded({ slowly });
    else if (slowly) limit.pushedBack(began);
    slots.resize(limit.value);
    destination.failures = outcomes.every(({ outcome }) => outcome === 'deferred') ? destination.failures + 1 : 0;
    if (destination.failures < FAILURES) return;
    destination.failures = 0;
    destination.pausedUntil = this.now() + PAUSE;
  }
}

function isAccepted({ outcome }: RecipientOutcome): boolean {
  return outcome === 'accepted';
}
