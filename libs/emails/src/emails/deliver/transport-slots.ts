import { Logger } from '@nestjs/common';
import type { ConnectingTransport, Destination, EmailTransport, TransportSlot } from '../ports/email-transport.js';
import { Turns } from './turns.js';

/** Time limit for acquiring a slot. Milliseconds. */
const PATIENCE = 30_000;
/**
 * Time limit where the destination is not known to answer quickly: many such emails must not delay others.
 * Milliseconds.
 */
const SHORT_PATIENCE = 5_000;

/** Time without a free slot after which another transport should take what waits. Milliseconds. */
const STALLED = 2_000;

/** True if the transport grants slots before there is a message. */
export function grantsSlots(transport: EmailTransport): transport is ConnectingTransport {
  return 'acquireSlot' in transport;
}

/** Ends waits that are of no use, and notices when a hop is found down (`NextHop`). */
export interface Outages {
  /** Time limit for the wait in milliseconds. Default: that for all. */
  patience?: number | undefined;
  /** Calls once, unless the returned function is called before. */
  onDown(call: () => void): () => void;
  /** No connection could be opened, after the wait for it was given up. */
  unreached(error: unknown): void;
}

/** Slots on the transport's connections. A transport that grants none has a slot for each caller at any time. */
export class TransportSlots {
  private readonly logger = new Logger(TransportSlots.name);
  private readonly turns: Turns;
  /** Callers that wait for a slot. */
  private waiting = 0;
  /** When a slot was last granted or released. */
  private movedAt: number;

  constructor(
    private readonly transport: EmailTransport,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.turns = new Turns(now);
    this.movedAt = now();
  }

  get isAwaited(): boolean {
    return this.waiting > 0;
  }

  /** True if callers wait and no slot has become free for some time. */
  get isStalled(): boolean {
    return this.isAwaited && this.now() - this.movedAt >= STALLED;
  }

  /**
   * Resolves with undefined when no slot was free in time. Rejects when the next hop cannot be reached.
   *
   * @param destination of the message, where slots are divided among destinations
   * @param whenNear called once when the slot is near, see `Turns`
   * @param hop ends the wait with undefined when it is found down, or when no slot becomes free. Default: the wait goes on
   * @param turn the lowest is first. Default: 0
   */
  async acquire(
    destination?: Destination,
    whenNear?: () => void,
    hop?: Outages,
    turn = 0,
  ): Promise<TransportSlot | undefined> {
    if (!this.isAwaited) this.movedAt = this.now();
    this.waiting++;
    const granted = this.grant(destination, whenNear, turn).finally(() => {
      this.waiting--;
      this.movedAt = this.now();
    });
    return hop ? this.unlessUseless(granted, hop) : granted;
  }

  private async grant(
    destination: Destination | undefined,
    whenNear: (() => void) | undefined,
    turn: number,
  ): Promise<TransportSlot | undefined> {
    const { transport } = this;
    if (!grantsSlots(transport)) {
      return { send: (message) => transport.send(message), reopen: async () => {}, release: () => {} };
    }
    const { name, speed } = destination ?? {};
    const patience = !destination || speed === 'quick' ? PATIENCE : SHORT_PATIENCE;
    return this.turns.wait(whenNear, () => transport.acquireSlot(patience, name, speed, turn), turn);
  }

  private unlessUseless(granted: Promise<TransportSlot | undefined>, hop: Outages): Promise<TransportSlot | undefined> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = () => {
        isOver = true;
        forget();
        resolve(undefined);
      };
      const timer = setInterval(() => this.isStalled && giveUp(), STALLED);
      const limit = hop.patience === undefined ? undefined : setTimeout(giveUp, hop.patience);
      const ignore = hop.onDown(giveUp);
      const forget = () => {
        clearInterval(timer);
        clearTimeout(limit);
        ignore();
      };
      granted.finally(forget).then(
        (slot) => {
          if (!isOver) resolve(slot);
          else if (slot) this.release(slot);
        },
        (error: unknown) => {
          if (isOver) hop.unreached(error);
          reject(error);
        },
      );
    });
  }

  release(slot: TransportSlot): void {
    this.movedAt = this.now();
    this.turns.release(() => {
      try {
        slot.release();
      } catch {
        this.logger.error('The transport failed to release a slot.');
      }
    });
  }
}
