import { AdaptiveLimit } from '../../../shared/work/adaptive-limit.js';
import { Semaphore } from '../../../shared/work/semaphore.js';

/** Messages at the same time just after an outage. */
const FIRST = 2;
/** With so many at the same time the start is over. */
const ENOUGH = 64;

/**
 * Limits the messages at the same time. To a hop that was down they are two, and one more with each that is answered, so that all
 * that waited does not come at once.
 */
export class SlowStart {
  private limit: AdaptiveLimit | undefined;
  private readonly slots: Semaphore;

  /** @param most limit without an outage. Default: none */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {
    this.slots = new Semaphore(most);
  }

  /** The hop is back. */
  begin(): void {
    this.limit = new AdaptiveLimit({ least: 1, most: Math.min(ENOUGH, this.most), first: FIRST });
    this.slots.resize(this.value);
  }

  /** True if a message would have to wait. */
  get isFull(): boolean {
    return this.slots.taken >= this.value;
  }

  private get value(): number {
    return this.limit?.value ?? this.most;
  }

  /**
   * False when there was no place within `patience` milliseconds. Else `leave` follows.
   *
   * @param turn the lowest is first
   */
  enter(patience: number, turn = 0): Promise<boolean> {
    return this.slots.acquire(patience, turn);
  }

  /** @param isAnswered whether the hop accepted or refused the message */
  leave(isAnswered: boolean): void {
    this.slots.release();
    if (!this.limit || !isAnswered) return;
    this.limit.succeeded();
    if (this.limit.value >= Math.min(ENOUGH, this.most)) this.limit = undefined;
    this.slots.resize(this.value);
  }
}
